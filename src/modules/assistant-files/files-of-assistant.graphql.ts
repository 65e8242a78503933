import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { selectsOnly } from '../../graph/schema/selection.ts';
import { Assistant } from '../assistants/assistant.graphql.ts';
import { assistantFiles } from '../organizations/features.ts';
import { AssistantFile } from './assistant-file.graphql.ts';
import { briefFile } from './assistant-file.ts';
import { countFiles } from './count-files.ts';
import { listFilesOfMany } from './list-files-of-many.ts';

// Several mutations of one request each read the files anew, so each sees the changes of the ones
// before it.
const loaderOptions = { cache: false };

builder.objectField(Assistant, 'files', (t) =>
  t.loadableList({
    type: AssistantFile,
    description: 'The files of the knowledge base, newest first.',
    authScopes: { enabled: assistantFiles },
    // Each occurrence of the field in a query may select other fields, so each loads its own files.
    byPath: true,
    load: (assistantIds: string[], { viewer, database }, _, info) =>
      listFilesOfMany(
        {
          organizationId: personOf(viewer).organizationId,
          assistantIds,
          isBrief: selectsOnly(briefFile, info),
        },
        { database },
      ),
    loaderOptions,
    resolve: ({ id }) => id,
  }),
);

builder.objectField(Assistant, 'fileCount', (t) =>
  t.loadable({
    type: 'Int',
    description: 'How many files the knowledge base has, in every state of processing.',
    authScopes: { enabled: assistantFiles },
    load: (assistantIds: string[], { viewer, database }) =>
      countFiles({ organizationId: personOf(viewer).organizationId, assistantIds }, { database }),
    loaderOptions,
    resolve: ({ id }) => id,
  }),
);
