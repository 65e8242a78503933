import { memberOf, personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { pageArgs, pageCost, pageType } from '../../graph/schema/page-type.ts';
import { AssistantFile } from '../assistant-files/assistant-file.graphql.ts';
import { assistantFiles } from '../organizations/features.ts';
import { documentStates, findDocument, type VaultEntry } from './find-document.ts';
import { type ListedFile, listDocuments } from './list-documents.ts';

const VaultDocumentState = builder.enumType('VaultDocumentState', {
  description:
    'FOUND: runs search this version. PREVIOUS: runs search the previous version until this one is ready. MISSING: the vault holds neither. UNKNOWN: the vault cannot be reached.',
  values: documentStates,
});

const VaultEntryType = builder.objectRef<VaultEntry>('VaultEntry').implement({
  description: 'What the vault holds of a file.',
  fields: (t) => ({
    state: t.expose('state', { type: VaultDocumentState }),
    passages: t.exposeInt('passages', { nullable: true }),
    embedding: t.exposeString('embedding', {
      nullable: true,
      description: 'The embedding that its vectors were made with.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: true }),
  }),
});

const VaultDocument = builder.objectRef<ListedFile>('VaultDocument').implement({
  description: 'A file of the organization, and what the vault holds of it.',
  fields: (t) => ({
    file: t.field({ type: AssistantFile, resolve: (file) => file }),
    assistantId: t.exposeID('assistantId'),
    assistantName: t.exposeString('assistantName'),
    inVault: t.field({
      type: VaultEntryType,
      // Each entry is one call of the vault.
      complexity: 5,
      resolve: ({ assistantId, id, replacesId }, _, { viewer, vaultFor, signal }) =>
        findDocument({ assistantId, id, replacesId, signal }, vaultFor(personOf(viewer))),
    }),
  }),
});

builder.queryField('vaultDocuments', (t) =>
  t.field({
    type: pageType('VaultDocumentPage', VaultDocument),
    description:
      'The files of the assistants of the organization, newest first. Administrators see names and states of all files, but not their content.',
    args: {
      ...pageArgs(20),
      assistantId: t.arg({
        type: 'ResourceId',
        required: false,
        description: 'Only files of this assistant.',
      }),
      search: t.arg({
        type: 'SearchText',
        required: false,
        description: 'Only files whose name contains this text.',
      }),
    },
    complexity: pageCost,
    authScopes: { administrator: true, enabled: assistantFiles },
    resolve: (_, args, { viewer, database }) =>
      listDocuments({ ...args, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);
