import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { connectionCost, nodesSelectOnly, pageRequest } from '../../graph/schema/connection.ts';
import { notFound } from '../../platform/errors.ts';
import { Assistant } from '../assistants/assistant.graphql.ts';
import { assistantFiles } from '../organizations/features.ts';
import { FileConnection, fileListArgs } from './assistant-file.graphql.ts';
import { briefFile } from './assistant-file.ts';
import { countFiles } from './count-files.ts';
import { listFilesOfMany } from './list-files.ts';

// Several mutations of one request each read the files anew, so each sees the changes of the ones
// before it.
const loaderOptions = { cache: false };

builder.objectField(Assistant, 'files', (t) =>
  t.loadable({
    type: FileConnection,
    description:
      'The files of the knowledge base, newest first by default. Without arguments all of them.',
    args: fileListArgs(),
    cost: connectionCost('all'),
    authScopes: { enabled: assistantFiles },
    // Each occurrence of the field in a query may select other fields, so each loads its own files.
    byPath: true,
    load: async (assistantIds: string[], { viewer, database }, args, info) => {
      const { organizationId } = personOf(viewer);
      const isBrief = nodesSelectOnly(briefFile, info);
      const pages = await listFilesOfMany(
        { ...args, organizationId, assistantIds, isBrief },
        pageRequest(args, info, 'all'),
        { database },
      );
      return pages.map((page, index) =>
        page ? { ...page, assistantId: assistantIds[index] ?? '' } : notFound('Assistant'),
      );
    },
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
