import type { Context } from '../../access/context.ts';
import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { requestLoader } from '../../graph/schema/request-loader.ts';
import { offsetMax } from '../../vault/passage.ts';
import { assistantFiles } from '../organizations/features.ts';
import { AssistantFile } from './assistant-file.graphql.ts';
import type { AssistantFile as AssistantFileRow } from './assistant-file.ts';
import {
  type Excerpt,
  type ExcerptPart,
  type ExcerptSource,
  excerptUnitsMax,
  findExcerptFile,
  readExcerpt,
} from './read-excerpt.ts';

const offsetRule = integer({ min: 0, max: offsetMax });

const FileExcerptPart = builder.objectRef<ExcerptPart>('FileExcerptPart').implement({
  description: 'The text of a file from `start` to `end`.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text, unchanged.' }),
    start: t.exposeInt('start', {
      description: 'The offset of the first unit of the text in the file, in UTF-16 units from 0.',
    }),
    end: t.exposeInt('end', {
      description: 'The offset after the last unit of the text, in UTF-16 units.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The page on which the passage begins; null for a kind of file without pages.',
    }),
    headings: t.exposeStringList('headings', {
      description: 'The headings above the text, outermost first.',
    }),
  }),
});

const FileExcerpt = builder.objectRef<Excerpt>('FileExcerpt').implement({
  description: 'The text of a file around an offset, for example around a quote.',
  fields: (t) => ({
    file: t.expose('file', {
      type: AssistantFile,
      description: 'The file that the text comes from.',
    }),
    parts: t.expose('parts', {
      type: [FileExcerptPart],
      description: 'In the order of the text. Only white space lies between two parts.',
    }),
    hasEarlier: t.exposeBoolean('hasEarlier', {
      description: 'Whether the file has text before the first part.',
    }),
    hasLater: t.exposeBoolean('hasLater', {
      description: 'Whether the file has text after the last part.',
    }),
  }),
});

/** Several excerpts of the same file, such as the quotes of an answer, read its row once. */
const fileLoaderFor = requestLoader(findEachFile);

function findEachFile(
  sources: readonly ExcerptSource[],
  { viewer, database }: Context,
): Promise<(AssistantFileRow | Error)[]> {
  const person = personOf(viewer);
  const found = new Map<string, Promise<AssistantFileRow | Error>>();
  return Promise.all(
    sources.map((source) => {
      const { assistantId, documentId, versionId } = source;
      const key = JSON.stringify([assistantId, documentId, versionId]);
      const file =
        found.get(key) ??
        findExcerptFile(source, { person, database }).catch((error: Error) => error);
      found.set(key, file);
      return file;
    }),
  );
}

builder.queryField('assistantFileExcerpt', (t) =>
  t.field({
    type: FileExcerpt,
    description: `The text of a file from \`start\` to \`end\`, at most ${excerptUnitsMax} units, extended on both sides to whole passages.`,
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      documentId: t.arg({
        type: 'ID',
        description: 'The id of the file, in REST the `documentId`.',
      }),
      versionId: t.arg({
        type: 'ID',
        required: false,
        description:
          'The version that a citation names. Its text is available as long as runs search it. The default is the version that runs search now.',
      }),
      start: t.arg({
        type: 'Int',
        rule: offsetRule,
        description: 'The offset of the first unit to read, in UTF-16 units from 0.',
      }),
      end: t.arg({
        type: 'Int',
        rule: offsetRule,
        description: 'The offset after the last unit to read, in UTF-16 units.',
      }),
    },
    authScopes: { person: true, enabled: assistantFiles },
    resolve: (_, { start, end, ...source }, context) =>
      readExcerpt(
        { ...source, range: { start, end }, signal: context.signal },
        {
          vault: context.vaultFor(personOf(context.viewer)),
          findFile: (key) => fileLoaderFor(context).load(key),
        },
      ),
  }),
);
