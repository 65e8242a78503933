import type { Context } from '../../access/context.ts';
import { personOf, requireScopes } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { verbatim } from '../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../graph/schema/mutation.ts';
import { writerOf } from '../audit/record-change.ts';
import { AssistantFile, fileScopes } from './assistant-file.graphql.ts';
import { deleteFile, type FileDeletion } from './delete-file.ts';
import { FileDerivation, toFileDerivations } from './processing-result.graphql.ts';
import { replaceFile } from './replace-file.ts';
import { uploadFile } from './upload-file.ts';

const DeletedFileParts = builder.objectRef<FileDeletion>('DeletedFileParts').implement({
  description: 'What has been removed of a deleted file so far.',
  fields: (t) => ({
    original: t.exposeBoolean('original', {
      description: 'Whether the uploaded file has been removed from the storage.',
    }),
    derived: t.field({
      type: [FileDerivation],
      description: 'What had been made of the file and has been removed.',
      resolve: ({ derived }) => toFileDerivations(derived),
    }),
    passages: t.exposeInt('passages', {
      description: 'How many passages have been removed, with their vectors.',
    }),
    pending: t.exposeBoolean('pending', {
      description:
        'True if the storage or the vault could not be reached. The rest is removed as soon as they can be reached.',
    }),
  }),
});

const ifMatch = {
  type: 'String',
  required: false,
  // Longer headers do not arrive, so REST has no bound to tell.
  rule: { ...verbatim({ max: 16_384 }), jsonSchema: { type: 'string' } },
  description:
    'Entity tags as in HTTP If-Match: the file is changed only if its etag is one of them.',
} as const;

const uploader = ({ viewer, currentViewer }: Context) => ({
  person: personOf(viewer),
  personAfterwards: async () => {
    const current = await currentViewer();
    requireScopes({ viewer: current }, fileScopes);
    return personOf(current);
  },
});

mutation('uploadAssistantFile', {
  description: 'Adds a file to the knowledge base and starts to process it.',
  authScopes: fileScopes,
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    file: t.field({
      type: 'Upload',
      description:
        'A file of 1 to 157286400 bytes, sent as a part of a multipart form. Browsers encode a quote in the file name of a part as %22, so %22 in the name is read as a quote.',
    }),
  }),
  resolve: async ({ assistantId, file }, context) => ({
    assistantId,
    file: await uploadFile(
      { assistantId, upload: file, ...uploader(context) },
      writerOf(context),
      context.files,
    ),
  }),
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    assistantId: t.exposeID('assistantId', { description: 'The id of the assistant.' }),
    file: t.expose('file', { type: AssistantFile, description: 'The new file.' }),
  }),
});

mutation('replaceAssistantFile', {
  description:
    'Replaces a file with a new one. Runs search the passages of the old file until the new one is COMPLETED.',
  authScopes: fileScopes,
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    documentId: t.field({ type: 'ID', description: 'The id of the file.' }),
    file: t.field({
      type: 'Upload',
      description:
        'The new file, of 1 to 157286400 bytes, sent as a part of a multipart form. Browsers encode a quote in the file name of a part as %22, so %22 in the name is read as a quote.',
    }),
    ifMatch: t.field(ifMatch),
  }),
  resolve: async ({ file, ...fileKey }, context) => {
    const replaced = await replaceFile(
      { ...fileKey, upload: file, ...uploader(context) },
      writerOf(context),
      context.files,
    );
    return { ...replaced, assistantId: fileKey.assistantId, replacedId: fileKey.documentId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    assistantId: t.exposeID('assistantId', { description: 'The id of the assistant.' }),
    replacedId: t.exposeID('replacedId', { description: 'The id of the file that was replaced.' }),
    originalId: t.exposeID('replacedId', { description: 'Equals replacedId.' }),
    unchanged: t.exposeBoolean('unchanged', {
      description:
        'True if the new file has the content and the name of the file that it replaced. It has a new id in any case.',
    }),
    file: t.expose('file', { type: AssistantFile, description: 'The new file.' }),
  }),
});

mutation('deleteAssistantFile', {
  description: 'Deletes a file with everything that was made of it. This cannot be undone.',
  authScopes: fileScopes,
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    documentId: t.field({ type: 'ID', description: 'The id of the file.' }),
    ifMatch: t.field(ifMatch),
  }),
  resolve: async (fileKey, context) => {
    const deleted = await deleteFile(
      { ...fileKey, person: personOf(context.viewer) },
      writerOf(context),
      context.files,
    );
    return { assistantId: fileKey.assistantId, originalId: fileKey.documentId, deleted };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    assistantId: t.exposeID('assistantId', { description: 'The id of the assistant.' }),
    originalId: t.exposeID('originalId', { description: 'The id of the file that was deleted.' }),
    deleted: t.expose('deleted', {
      type: DeletedFileParts,
      description: 'What has been removed so far.',
    }),
  }),
});
