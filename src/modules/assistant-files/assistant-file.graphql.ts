import { builder } from '../../graph/builder.ts';
import { Download } from '../../graph/download.ts';
import { personOf } from '../../graph/scopes.ts';
import { selectsOnly } from '../../graph/selection.ts';
import { writerOf } from '../audit/record-change.ts';
import { assistantFiles } from '../organizations/features.ts';
import {
  type AssistantFile as AssistantFileRow,
  briefFile,
  contentAddressOf,
  etagOf,
  processingStages,
  processingStatuses,
} from './assistant-file.ts';
import { type DeletedParts, deleteFile } from './delete-file.ts';
import './files.ts';
import { listFiles } from './list-files.ts';
import { replaceFile } from './replace-file.ts';
import { requireFile } from './require-file.ts';
import { uploadFile } from './upload-file.ts';

const ProcessingStatus = builder.enumType('ProcessingStatus', {
  description:
    'How far a file has come. One that is COMPLETED is searched; one that FAILED says why.',
  values: processingStatuses,
});
const ProcessingStage = builder.enumType('ProcessingStage', {
  description: 'What is being done with a file that is PROCESSING.',
  values: processingStages,
});

const ProcessingError = builder
  .objectRef<{ code: string; message: string }>('ProcessingError')
  .implement({
    description: 'Why a file could not be processed.',
    fields: (t) => ({ code: t.exposeString('code'), message: t.exposeString('message') }),
  });

export const AssistantFile = builder.objectRef<AssistantFileRow>('AssistantFile').implement({
  description: 'A file of an assistant’s knowledge base.',
  fields: (t) => ({
    id: t.exposeID('id'),
    assistantId: t.exposeID('assistantId'),
    originalName: t.exposeString('originalName'),
    mimeType: t.exposeString('mimeType', {
      description: 'As it was sent; once the file is COMPLETED, as its content says.',
    }),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of the bytes, in hexadecimal digits.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    processingStatus: t.field({ type: ProcessingStatus, resolve: ({ status }) => status }),
    processingStage: t.field({
      type: ProcessingStage,
      nullable: true,
      description: 'Null unless the file is PROCESSING.',
      resolve: ({ stage }) => stage,
    }),
    processingError: t.field({
      type: ProcessingError,
      nullable: true,
      description: 'Null unless the file has FAILED.',
      resolve: ({ errorCode, errorMessage }) =>
        errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    }),
    derivations: t.exposeStringList('derivations', {
      description: 'What there is of it by now: text, markdown, chunks, embeddings.',
    }),
    pages: t.exposeInt('pages', {
      nullable: true,
      description: 'Null where the kind of file has none, or as long as they are not counted.',
    }),
    passages: t.exposeInt('passages', {
      nullable: true,
      description: 'Null until the file is COMPLETED.',
    }),
    contentAddress: t.string({
      description:
        'Where its bytes are: a path that takes the key, or the session, by which it was asked for.',
      resolve: (file, _, { viewer }) => contentAddressOf(file, personOf(viewer)),
    }),
    etag: t.string({
      description: 'Changes with everything that is told of the file.',
      resolve: etagOf,
    }),
  }),
});

type FileList = { assistantId: string; files: AssistantFileRow[] };
const AssistantFileList = builder.objectRef<FileList>('AssistantFileList').implement({
  fields: (t) => ({
    files: t.expose('files', { type: [AssistantFile] }),
    count: t.int({ resolve: ({ files }) => files.length }),
    assistantId: t.exposeID('assistantId'),
  }),
});

const UploadedAssistantFile = builder
  .objectRef<{ assistantId: string; file: AssistantFileRow }>('UploadedAssistantFile')
  .implement({
    fields: (t) => ({
      success: t.boolean({ resolve: () => true }),
      assistantId: t.exposeID('assistantId'),
      file: t.expose('file', { type: AssistantFile }),
    }),
  });

type Replaced = {
  assistantId: string;
  replacedId: string;
  file: AssistantFileRow;
  unchanged: boolean;
};
const ReplacedAssistantFile = builder.objectRef<Replaced>('ReplacedAssistantFile').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    assistantId: t.exposeID('assistantId'),
    replacedId: t.exposeID('replacedId', { description: 'The id of the file that was replaced.' }),
    originalId: t.exposeID('replacedId', { description: 'The same.' }),
    unchanged: t.exposeBoolean('unchanged', {
      description:
        'True where the new file has the content and the name of the one that it replaced. Its id is new even then.',
    }),
    file: t.expose('file', { type: AssistantFile }),
  }),
});

const DeletedFileParts = builder.objectRef<DeletedParts>('DeletedFileParts').implement({
  description: 'What of a deleted file is gone by now.',
  fields: (t) => ({
    original: t.exposeBoolean('original', {
      description: 'Whether the uploaded file is gone from the storage.',
    }),
    derived: t.exposeStringList('derived', {
      description: 'What had been made of it and is gone: text, markdown, chunks, embeddings.',
    }),
    passages: t.exposeInt('passages', {
      description: 'How many passages, with their vectors, are gone.',
    }),
    pending: t.exposeBoolean('pending', {
      description:
        'True where storage or vault could not be reached: the rest follows as soon as they can.',
    }),
  }),
});

const DeletedAssistantFile = builder
  .objectRef<{ assistantId: string; originalId: string; deleted: DeletedParts }>(
    'DeletedAssistantFile',
  )
  .implement({
    fields: (t) => ({
      success: t.boolean({ resolve: () => true }),
      assistantId: t.exposeID('assistantId'),
      originalId: t.exposeID('originalId', { description: 'The id of the file that was deleted.' }),
      deleted: t.expose('deleted', { type: DeletedFileParts }),
    }),
  });

const scopes = { person: true, enabled: assistantFiles };

builder.queryFields((t) => ({
  assistantFiles: t.field({
    type: AssistantFileList,
    description: 'The files of an assistant, newest first.',
    args: { assistantId: t.arg({ type: 'ResourceId' }) },
    authScopes: scopes,
    resolve: async (_, { assistantId }, { viewer, database }, info) => {
      const isBrief = selectsOnly(briefFile, info, 'files');
      return {
        assistantId,
        files: await listFiles({ assistantId, person: personOf(viewer), isBrief }, { database }),
      };
    },
  }),
  assistantFile: t.field({
    type: AssistantFile,
    args: { assistantId: t.arg({ type: 'ResourceId' }), documentId: t.arg({ type: 'ResourceId' }) },
    authScopes: scopes,
    resolve: (_, place, { viewer, database }) =>
      requireFile({ ...place, person: personOf(viewer), level: 'VIEW' }, { database }),
  }),
  assistantFileContent: t.field({
    type: 'Download',
    description: 'The file as it was uploaded.',
    args: { assistantId: t.arg({ type: 'ResourceId' }), documentId: t.arg({ type: 'ResourceId' }) },
    authScopes: scopes,
    resolve: async (_, place, { viewer, database, files: { storage } }) => {
      const person = personOf(viewer);
      const file = await requireFile({ ...place, person, level: 'VIEW' }, { database });
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

const ifMatch = {
  type: 'String',
  required: false,
  description: 'Entity tags as in HTTP: the file is only changed while its etag is one of them.',
} as const;

builder.mutationFields((t) => ({
  uploadAssistantFile: t.field({
    type: UploadedAssistantFile,
    description: 'Adds a file to the knowledge base. It is processed from then on.',
    args: { assistantId: t.arg({ type: 'ResourceId' }), file: t.arg({ type: 'Upload' }) },
    authScopes: scopes,
    resolve: async (_, { assistantId, file }, context) => ({
      assistantId,
      file: await uploadFile(
        { assistantId, person: personOf(context.viewer), upload: file },
        writerOf(context),
        context.files,
      ),
    }),
  }),
  replaceAssistantFile: t.field({
    type: ReplacedAssistantFile,
    description:
      'Puts a new file in the place of another, whose passages answer questions until the new one is COMPLETED.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      documentId: t.arg({ type: 'ResourceId' }),
      file: t.arg({ type: 'Upload' }),
      ifMatch: t.arg(ifMatch),
    },
    authScopes: scopes,
    resolve: async (_, { file, ...place }, context) => {
      const replaced = await replaceFile(
        { ...place, person: personOf(context.viewer), upload: file },
        writerOf(context),
        context.files,
      );
      return { ...replaced, assistantId: place.assistantId, replacedId: place.documentId };
    },
  }),
  deleteAssistantFile: t.field({
    type: DeletedAssistantFile,
    description: 'Deletes a file with everything that was made of it. This can not be undone.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      documentId: t.arg({ type: 'ResourceId' }),
      ifMatch: t.arg(ifMatch),
    },
    authScopes: scopes,
    resolve: async (_, place, context) => {
      const deleted = await deleteFile(
        { ...place, person: personOf(context.viewer) },
        writerOf(context),
        context.files,
      );
      return { assistantId: place.assistantId, originalId: place.documentId, deleted };
    },
  }),
}));
