import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  nodesSelectOnly,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { Download } from '../../graph/schema/download.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { fragment } from '../../platform/database/sql.ts';
import { assistantFiles } from '../organizations/features.ts';
import {
  type AssistantFile as AssistantFileRow,
  briefFile,
  contentAddressOf,
  etagOf,
  type processingStages,
  type processingStatuses,
} from './assistant-file.ts';
import { readFiles } from './read-files.ts';
import './file-services.ts';
import { listFiles } from './list-files.ts';
import {
  FileDerivation,
  FileNotice,
  ProcessingError,
  toFileDerivations,
  toFileNotices,
} from './processing-result.graphql.ts';
import { requireFile } from './require-file.ts';

export const ProcessingStatus = builder.enumType('ProcessingStatus', {
  description:
    'How far the processing of a file is. Runs search a file that is COMPLETED; processingError says why a file FAILED.',
  values: {
    PENDING: { description: 'The file waits to be processed.' },
    PROCESSING: { description: 'The file is processed now; processingStage says how far it is.' },
    COMPLETED: { description: 'Runs search the file.' },
    FAILED: {
      description:
        'The file could not be processed; processingError says why. Runs do not search it.',
    },
  } satisfies Record<(typeof processingStatuses)[number], object>,
});
const ProcessingStage = builder.enumType('ProcessingStage', {
  description: 'The current step of a file that is PROCESSING.',
  values: {
    EXTRACTING: { description: 'The text of the file is read.' },
    CHUNKING: { description: 'The text is divided into passages.' },
    EMBEDDING: { description: 'A vector is computed for each passage.' },
    INDEXING: { description: 'Passages and vectors are stored in the vector database.' },
  } satisfies Record<(typeof processingStages)[number], object>,
});

export const AssistantFile = builder.objectRef<AssistantFileRow>('AssistantFile').implement({
  interfaces: [Node],
  description: 'A file of an assistant’s knowledge base.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the file, an opaque string. A file that replaces another one has a new id.',
    }),
    assistantId: t.exposeID('assistantId', {
      description: 'The id of the assistant whose knowledge base contains the file.',
    }),
    originalName: t.exposeString('originalName', {
      description: 'The name that the file had when it was uploaded.',
    }),
    mimeType: t.exposeString('mimeType', {
      description:
        'The type that the upload stated; once the file is COMPLETED, the type that was detected in its content.',
    }),
    size: t.exposeInt('size', { description: 'The size of the file, in bytes.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of the bytes, in hexadecimal digits.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the file was uploaded.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the file or the state of its processing last changed.',
    }),
    processingStatus: t.field({
      type: ProcessingStatus,
      description: 'How far the processing of the file is.',
      resolve: ({ status }) => status,
    }),
    processingStage: t.field({
      type: ProcessingStage,
      nullable: true,
      description: 'The stage of the processing; null unless the file is PROCESSING.',
      resolve: ({ stage }) => stage,
    }),
    processingError: t.field({
      type: ProcessingError,
      nullable: true,
      description: 'Why the file could not be processed; null unless it has FAILED.',
      resolve: ({ errorCode, errorMessage }) =>
        errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    }),
    derivations: t.field({
      type: [FileDerivation],
      description: 'What has been made of the file so far.',
      resolve: ({ derivations }) => toFileDerivations(derivations),
    }),
    pages: t.exposeInt('pages', {
      nullable: true,
      description:
        'How many pages the file has; null for a kind of file without pages, and until they are counted.',
    }),
    passages: t.exposeInt('passages', {
      nullable: true,
      description: 'How many passages the vault made of the file; null until it is COMPLETED.',
    }),
    notices: t.field({
      type: [FileNotice],
      description: 'What of the file was not read, such as pages without text or hidden sheets.',
      resolve: ({ notices }) => toFileNotices(notices),
    }),
    contentAddress: t.string({
      description:
        'The path for downloading the file with the same API key or session as this request.',
      resolve: (file, _, { viewer }) => contentAddressOf(file, personOf(viewer)),
    }),
    etag: t.string({
      description: 'Changes whenever a field of the file changes.',
      resolve: etagOf,
    }),
  }),
});

addNodeSource('AssistantFile', {
  scopes: { person: true, enabled: assistantFiles },
  table: fragment`assistant_files`,
  load: (ids, { viewer, database }) => readFiles({ ids, person: personOf(viewer) }, { database }),
});

export const FileConnection = connectionType<AssistantFileRow, { assistantId: string }>(
  'AssistantFile',
  AssistantFile,
);
builder.objectField(FileConnection, 'assistantId', (t) =>
  t.exposeID('assistantId', { description: 'The assistant whose files are listed.' }),
);
const FileOrder = orderType('AssistantFileOrder', {
  CREATED_AT: 'When the file was uploaded.',
  NAME: 'The name, regardless of case.',
});

export const fileListArgs = () =>
  builder.args((t) => ({
    ...connectionArgs(),
    status: t.field({
      type: ProcessingStatus,
      required: false,
      description: 'Only files in this state.',
    }),
    search: t.field(searchArg()),
    orderBy: t.field({ type: FileOrder, required: false, description: 'The order of the list.' }),
  }));

export const fileScopes = { person: true, enabled: assistantFiles };

const fileArgs = () =>
  builder.args((t) => ({
    assistantId: t.id({ description: 'The id of the assistant.' }),
    documentId: t.id({ description: 'The id of the file, in REST the `documentId`.' }),
  }));

builder.queryFields((t) => ({
  assistantFiles: t.field({
    type: FileConnection,
    description:
      'The files of an assistant, newest first by default. Without arguments all of them.',
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      ...fileListArgs(),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only files that were uploaded, replaced or processed at this time or later, the earliest change first.',
      }),
    },
    cost: connectionCost('all'),
    authScopes: fileScopes,
    resolve: async (_, { assistantId, ...args }, { viewer, database }, info) => {
      const isBrief = nodesSelectOnly(briefFile, info);
      const page = await listFiles(
        { ...args, assistantId, person: personOf(viewer), isBrief },
        pageRequest(args, info, 'all'),
        { database },
      );
      return { ...page, assistantId };
    },
  }),
  assistantFile: t.field({
    type: AssistantFile,
    description: 'A file of an assistant that the caller may view.',
    args: fileArgs(),
    authScopes: fileScopes,
    resolve: (_, fileKey, { viewer, database }) =>
      requireFile({ ...fileKey, person: personOf(viewer), level: 'VIEW' }, { database }),
  }),
  assistantFileContent: t.field({
    type: 'Download',
    description: 'The file as it was uploaded.',
    args: fileArgs(),
    authScopes: fileScopes,
    resolve: async (_, fileKey, { viewer, database, files: { storage } }) => {
      const person = personOf(viewer);
      const file = await requireFile({ ...fileKey, person, level: 'VIEW' }, { database });
      const { id, assistantId, originalName, mimeType, size, hash, storageKey } = file;
      const address = contentAddressOf({ assistantId, id }, person);
      return new Download({
        address,
        name: originalName,
        mimeType,
        bytes: size,
        tag: `"${hash}"`,
        open: (range) => storage.get(storageKey, range),
      });
    },
  }),
}));
