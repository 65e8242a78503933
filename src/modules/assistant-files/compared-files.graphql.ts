import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { AssistantFile } from './assistant-file.graphql.ts';
import { countFilesBefore } from './count-files-before.ts';
import { findSameContent } from './find-same-content.ts';

// Several mutations of one request each read the files anew.
const loaderOptions = { cache: false };

builder.objectField(AssistantFile, 'sameContentAs', (t) =>
  t.loadable({
    type: AssistantFile,
    nullable: true,
    description:
      'The oldest file of the assistant with the same bytes; null if it is this one, so that no other has them.',
    load: (fileIds: string[], { viewer, database }) =>
      findSameContent({ fileIds, person: personOf(viewer) }, { database }),
    loaderOptions,
    resolve: ({ id }) => id,
  }),
);

builder.objectField(AssistantFile, 'filesBefore', (t) =>
  t.loadable({
    type: 'Int',
    nullable: true,
    description:
      'How many files of the organization are processed before this one; null unless the file is PENDING.',
    load: (fileIds: string[], { viewer, database }) =>
      countFilesBefore({ fileIds, organizationId: personOf(viewer).organizationId }, { database }),
    loaderOptions,
    resolve: ({ id }) => id,
  }),
);
