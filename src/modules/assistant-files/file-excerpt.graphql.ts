import { builder } from '../../graph/builder.ts';
import { integerScalar } from '../../graph/scalars.ts';
import { personOf } from '../../graph/scopes.ts';
import { offsetMax } from '../../vault/passage.ts';
import { assistantFiles } from '../organizations/features.ts';
import { AssistantFile } from './assistant-file.graphql.ts';
import { type Excerpt, type ExcerptPart, excerptUnitsMax, readExcerpt } from './read-excerpt.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    TextOffset: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'TextOffset',
  integerScalar('TextOffset', {
    min: 0,
    max: offsetMax,
    description: 'A place in the text of a file, in UTF-16 units from its beginning.',
  }),
);

const FileExcerptPart = builder.objectRef<ExcerptPart>('FileExcerptPart').implement({
  description: 'What stands from `start` to `end` in the text of a file.',
  fields: (t) => ({
    text: t.exposeString('text'),
    start: t.exposeInt('start'),
    end: t.exposeInt('end'),
    page: t.exposeInt('page', {
      nullable: true,
      description:
        'The page on which the passage begins; null where the kind of file has no pages.',
    }),
    headings: t.exposeStringList('headings', {
      description: 'The headings above it, outermost first.',
    }),
  }),
});

const FileExcerpt = builder.objectRef<Excerpt>('FileExcerpt').implement({
  description: 'The text of a file around a place, for instance around a quote.',
  fields: (t) => ({
    file: t.expose('file', { type: AssistantFile }),
    parts: t.expose('parts', {
      type: [FileExcerptPart],
      description: 'In order; between one and the next is nothing but blank space.',
    }),
    hasEarlier: t.exposeBoolean('hasEarlier', {
      description: 'Whether text stands before the first part.',
    }),
    hasLater: t.exposeBoolean('hasLater', {
      description: 'Whether text stands after the last part.',
    }),
  }),
});

builder.queryField('assistantFileExcerpt', (t) =>
  t.field({
    type: FileExcerpt,
    description: `The text of a file from \`start\` to \`end\`, at most ${excerptUnitsMax} units, and on both sides to where a passage ends.`,
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      documentId: t.arg({ type: 'ResourceId' }),
      versionId: t.arg({
        type: 'ResourceId',
        required: false,
        description:
          'The version that a citation names; it has its text as long as it answers questions. Without it, the text that answers now.',
      }),
      start: t.arg({ type: 'TextOffset' }),
      end: t.arg({ type: 'TextOffset' }),
    },
    authScopes: { person: true, enabled: assistantFiles },
    resolve: (_, { start, end, ...place }, { viewer, signal, database, vaultFor }) => {
      const person = personOf(viewer);
      return readExcerpt(
        { ...place, person, stretch: { start, end }, signal },
        { database, vault: vaultFor(person) },
      );
    },
  }),
);
