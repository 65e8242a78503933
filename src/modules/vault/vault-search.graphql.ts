import { builder } from '../../graph/builder.ts';
import { integerScalar, textScalar } from '../../graph/scalars.ts';
import { signedInMember } from '../../graph/scopes.ts';
import { assistantFiles } from '../organizations/features.ts';
import {
  type FoundPassage,
  type LeftOutPassage,
  leftOutReasons,
  searchModes,
  searchVault,
} from './search-vault.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    VaultQuery: { Input: string; Output: string };
    PassageCount: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'VaultQuery',
  textScalar('VaultQuery', { min: 1, max: 1000, lines: 'many', description: 'What to look for.' }),
);
builder.addScalarType(
  'PassageCount',
  integerScalar('PassageCount', { min: 1, max: 50, description: 'How many passages: 1 to 50.' }),
);

type Found = Awaited<ReturnType<typeof searchVault>>;
type Stage = NonNullable<FoundPassage['scores']['keyword']>;

const VaultSearchMode = builder.enumType('VaultSearchMode', { values: searchModes });
const LeftOutReason = builder.enumType('LeftOutReason', {
  description:
    'NEAR_DUPLICATE: it says what a better passage says. BELOW_LIMIT: others were better. NO_FILE: its file is gone, and the vault is about to forget it.',
  values: leftOutReasons,
});

const StageScore = builder.objectRef<Stage>('StageScore').implement({
  description: 'What one search made of a passage.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Its place in this list, from 1.' }),
    score: t.exposeFloat('score', {
      description: 'BM25 where words were searched, the cosine where vectors were.',
    }),
    share: t.exposeFloat('share', { description: 'What its place gave to the sum of both lists.' }),
  }),
});

const VaultPassage = builder.objectRef<FoundPassage>('VaultPassage').implement({
  description: 'A passage with what every stage of the search gave it.',
  fields: (t) => ({
    documentId: t.exposeID('documentId', { nullable: true }),
    originalName: t.exposeString('originalName', {
      nullable: true,
      description: 'The name of the file that the text stands in; null where the file is gone.',
    }),
    isPreviousVersion: t.exposeBoolean('isPreviousVersion', {
      description: 'True where the file has been replaced and its replacement is not COMPLETED.',
    }),
    ordinal: t.exposeInt('ordinal', {
      description: 'Its place among the passages of its file, from 0.',
    }),
    text: t.exposeString('text'),
    page: t.exposeInt('page', { nullable: true }),
    headings: t.exposeStringList('headings'),
    score: t.exposeFloat('score', { description: 'What decided its place.' }),
    keyword: t.field({
      type: StageScore,
      nullable: true,
      description: 'Null where its words did not fit.',
      resolve: ({ scores }) => scores.keyword,
    }),
    vector: t.field({
      type: StageScore,
      nullable: true,
      description: 'Null where it was not near.',
      resolve: ({ scores }) => scores.vector,
    }),
    fused: t.float({
      description: 'The sum of both lists, by reciprocal rank.',
      resolve: ({ scores }) => scores.fused,
    }),
    rerank: t.float({
      nullable: true,
      description: 'Null where no rerank model was asked.',
      resolve: ({ scores }) => scores.rerank,
    }),
  }),
});

const LeftOut = builder.objectRef<LeftOutPassage>('LeftOutPassage').implement({
  fields: (t) => ({
    passage: t.expose('passage', { type: VaultPassage }),
    reason: t.expose('reason', { type: LeftOutReason }),
    like: t.expose('like', {
      type: VaultPassage,
      nullable: true,
      description: 'The better passage that says the same.',
    }),
  }),
});

const Candidates = builder.objectRef<Found['candidates']>('SearchCandidates').implement({
  fields: (t) => ({
    keyword: t.exposeInt('keyword', {
      description: 'How many passages the search for words found.',
    }),
    vector: t.exposeInt('vector', { description: 'How many the search for vectors found.' }),
    distinct: t.exposeInt('distinct', {
      description: 'How many of both together say something of their own.',
    }),
  }),
});

const VaultSearch = builder.objectRef<Found>('VaultSearch').implement({
  fields: (t) => ({
    passages: t.expose('passages', {
      type: [VaultPassage],
      complexity: { multiplier: 50 },
      description: 'Best first.',
    }),
    leftOut: t.expose('leftOut', {
      type: [LeftOut],
      complexity: { multiplier: 50 },
      description: 'The best of what is not among them, and why.',
    }),
    candidates: t.expose('candidates', { type: Candidates }),
    nearDuplicates: t.exposeInt('nearDuplicates'),
    belowLimit: t.exposeInt('belowLimit'),
    notes: t.exposeStringList('notes', { description: 'What the search had to do without.' }),
    tookMs: t.exposeFloat('tookMs'),
  }),
});

builder.queryField('vaultSearch', (t) =>
  t.field({
    type: VaultSearch,
    description:
      'Searches the files of an assistant as its runs do, and shows what every stage of the search made of each passage.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      query: t.arg({ type: 'VaultQuery' }),
      limit: t.arg({ type: 'PassageCount', defaultValue: 8 }),
      mode: t.arg({ type: VaultSearchMode, defaultValue: 'hybrid' }),
    },
    authScopes: { administrator: true, enabled: assistantFiles },
    resolve: (_, asked, { viewer, database, vaultFor, signal }) => {
      const person = signedInMember(viewer);
      return searchVault({ ...asked, person, signal }, { vault: vaultFor(person), database });
    },
  }),
);
