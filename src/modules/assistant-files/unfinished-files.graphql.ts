import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { assistantFiles } from '../organizations/features.ts';
import { AssistantFile } from './assistant-file.graphql.ts';
import { listUnfinishedFiles, type UnfinishedFiles } from './list-unfinished-files.ts';

const UnfinishedFile = builder
  .objectRef<UnfinishedFiles['files'][number]>('UnfinishedFile')
  .implement({
    description: 'A file that runs cannot search yet, with the name of its assistant.',
    fields: (t) => ({
      file: t.field({
        type: AssistantFile,
        description: 'The file with the state of its processing.',
        resolve: (file) => file,
      }),
      assistantName: t.exposeString('assistantName', {
        description: 'The name of the assistant that the file belongs to.',
      }),
    }),
  });

const UnfinishedFilesType = builder.objectRef<UnfinishedFiles>('UnfinishedFiles').implement({
  description: 'Files that runs cannot search: they failed, or are not processed yet.',
  fields: (t) => ({
    working: t.exposeInt('working', { description: 'How many files wait or are processed.' }),
    failed: t.exposeInt('failed', { description: 'How many files could not be processed.' }),
    files: t.expose('files', {
      type: [UnfinishedFile],
      description: 'At most ten: first the files that failed, then the others, each newest first.',
    }),
  }),
});

builder.queryField('unfinishedFiles', (t) =>
  t.field({
    type: UnfinishedFilesType,
    description: 'The unfinished files of all assistants that the caller may view.',
    authScopes: { person: true, enabled: assistantFiles },
    resolve: (_, __, { viewer, database }) =>
      listUnfinishedFiles({ person: personOf(viewer) }, { database }),
  }),
);
