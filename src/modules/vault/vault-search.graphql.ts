import { signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer, text } from '../../graph/schema/input-rules.ts';
import { assistantFiles } from '../organizations/features.ts';
import {
  type ExplainedPassage,
  type LeftOutPassage,
  type leftOutReasons,
  type searchModes,
  searchVault,
} from './search-vault.ts';

const vaultQueryRule = text({ min: 1, max: 1000, lines: 'many' });

type SearchResult = Awaited<ReturnType<typeof searchVault>>;
type StageResult = NonNullable<ExplainedPassage['scores']['keyword']>;

const VaultSearchMode = builder.enumType('VaultSearchMode', {
  description: 'Which searches of the vault find passages.',
  values: {
    HYBRID: { description: 'The search by words and the search by meaning together, as in runs.' },
    KEYWORD: { description: 'Only the search by words.' },
    VECTOR: { description: 'Only the search by meaning.' },
  } satisfies Record<keyof typeof searchModes, object>,
});
const LeftOutReason = builder.enumType('LeftOutReason', {
  description:
    'NEAR_DUPLICATE: a better passage says the same. BELOW_LIMIT: enough other passages scored higher. NO_FILE: its file no longer exists, and the vault will remove it.',
  values: {
    NEAR_DUPLICATE: { description: 'A better passage says the same.' },
    BELOW_LIMIT: { description: 'Enough other passages scored higher.' },
    NO_FILE: {
      description: 'The file of the passage no longer exists, and the vault will remove it.',
    },
  } satisfies Record<(typeof leftOutReasons)[number], object>,
});

const StageScore = builder.objectRef<StageResult>('StageScore').implement({
  description: 'The result of one stage of the search for a passage.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'The rank of the passage in this list, from 1.' }),
    score: t.exposeFloat('score', {
      description:
        'BM25 in the keyword search, cosine similarity in the vector search, and the share of the query that the passage covers, from 0 to 1.',
    }),
    share: t.exposeFloat('share', { description: 'What this rank adds to the fused score.' }),
  }),
});

const VaultPassage = builder.objectRef<ExplainedPassage>('VaultPassage').implement({
  description: 'A passage with its result in each stage of the search.',
  fields: (t) => ({
    documentId: t.exposeID('documentId', {
      nullable: true,
      description:
        'The id of the file that the passage belongs to; null if the file no longer exists.',
    }),
    originalName: t.exposeString('originalName', {
      nullable: true,
      description:
        'The name of the file that contains the text; null if the file no longer exists.',
    }),
    isPreviousVersion: t.exposeBoolean('isPreviousVersion', {
      description: 'True if the file has been replaced and its replacement is not COMPLETED.',
    }),
    ordinal: t.exposeInt('ordinal', {
      description: 'The position among the passages of the file, from 0.',
    }),
    text: t.exposeString('text', { description: 'What the passage says, unchanged.' }),
    page: t.exposeInt('page', {
      nullable: true,
      description:
        'The page on which the passage begins, from 1; null for a kind of file without pages.',
    }),
    headings: t.exposeStringList('headings', {
      description: 'The headings above the passage, outermost first.',
    }),
    score: t.exposeFloat('score', { description: 'The score that the results are ordered by.' }),
    keyword: t.field({
      type: StageScore,
      nullable: true,
      description: 'The result of the keyword search; null if it did not find the passage.',
      resolve: ({ scores }) => scores.keyword,
    }),
    vector: t.field({
      type: StageScore,
      nullable: true,
      description: 'The result of the vector search; null if it did not find the passage.',
      resolve: ({ scores }) => scores.vector,
    }),
    coverage: t.field({
      type: StageScore,
      nullable: true,
      description:
        'How much of an English query the passage covers with equal and related words; null if that was not compared: for other languages, for passages that are not among the best, and where an embedding model has the meaning.',
      resolve: ({ scores }) => scores.coverage,
    }),
    fused: t.float({
      description: 'The sum of what each stage adds.',
      resolve: ({ scores }) => scores.fused,
    }),
    rerank: t.float({
      nullable: true,
      description: 'The score of the rerank model; null if none was used.',
      resolve: ({ scores }) => scores.rerank,
    }),
  }),
});

const LeftOut = builder.objectRef<LeftOutPassage>('LeftOutPassage').implement({
  description: 'A passage that the search found and that a run would not get.',
  fields: (t) => ({
    passage: t.expose('passage', {
      type: VaultPassage,
      description: 'The passage that was left out.',
    }),
    reason: t.expose('reason', {
      type: LeftOutReason,
      description: 'Why the passage was left out.',
    }),
    like: t.expose('like', {
      type: VaultPassage,
      nullable: true,
      description: 'The better passage that says the same.',
    }),
  }),
});

const Candidates = builder.objectRef<SearchResult['candidates']>('SearchCandidates').implement({
  description: 'How many passages the stages of a search found.',
  fields: (t) => ({
    keyword: t.exposeInt('keyword', {
      description: 'How many passages the keyword search found.',
    }),
    vector: t.exposeInt('vector', { description: 'How many passages the vector search found.' }),
    distinct: t.exposeInt('distinct', {
      description: 'How many passages remain of both searches without duplicates.',
    }),
  }),
});

const VaultSearch = builder.objectRef<SearchResult>('VaultSearch').implement({
  description: 'The result of a search with an account of each of its stages.',
  fields: (t) => ({
    passages: t.expose('passages', {
      type: [VaultPassage],
      cost: { listSize: { assumedSize: 50 } },
      description: 'The passages that a run would get, best first.',
    }),
    leftOut: t.expose('leftOut', {
      type: [LeftOut],
      cost: { listSize: { assumedSize: 50 } },
      description: 'The best passages that were left out, and the reason.',
    }),
    candidates: t.expose('candidates', {
      type: Candidates,
      description: 'How many passages each search found.',
    }),
    nearDuplicates: t.exposeInt('nearDuplicates', {
      description: 'How many passages were left out because a better one says the same.',
    }),
    belowLimit: t.exposeInt('belowLimit', {
      description: 'How many passages were left out because enough others scored higher.',
    }),
    notes: t.exposeStringList('notes', {
      description: 'The stages that the search had to skip, and why.',
    }),
    tookMs: t.exposeFloat('tookMs', {
      description: 'How long the search took in the vault, in milliseconds.',
    }),
  }),
});

builder.queryField('vaultSearch', (t) =>
  t.field({
    type: VaultSearch,
    description:
      'Searches the files of an assistant as its runs do, and shows what every stage of the search made of each passage.',
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      query: t.arg({
        type: 'String',
        rule: vaultQueryRule,
        description: 'What to search for: words or a question, 1 to 1,000 characters.',
      }),
      limit: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 50 }),
        defaultValue: 8,
        description: 'How many passages to return, 1 to 50.',
      }),
      mode: t.arg({
        type: VaultSearchMode,
        defaultValue: 'HYBRID',
        description: 'Which searches find the passages. Runs use both.',
      }),
    },
    authScopes: { administrator: true, enabled: assistantFiles },
    resolve: (_, args, { viewer, database, vaultFor, signal }) => {
      const person = signedInMember(viewer);
      return searchVault({ ...args, person, signal }, { vault: vaultFor(person), database });
    },
  }),
);
