import { builder } from '../../graph/builder.ts';
import { memberOf, personOf } from '../../graph/scopes.ts';
import { AssistantFile } from '../assistant-files/assistant-file.graphql.ts';
import { assistantFiles } from '../organizations/features.ts';
import { pageType } from '../sponsorship/page-type.graphql.ts';
import { documentStates, findDocument, type VaultEntry } from './find-document.ts';
import { type ListedFile, listDocuments } from './list-documents.ts';

const VaultDocumentState = builder.enumType('VaultDocumentState', {
  description:
    'PREVIOUS: the version before answers until this one is ready. MISSING: nothing of it can be found. UNKNOWN: the vault is away.',
  values: documentStates,
});

const VaultEntryType = builder.objectRef<VaultEntry>('VaultEntry').implement({
  description: 'What the vault holds of a file.',
  fields: (t) => ({
    state: t.expose('state', { type: VaultDocumentState }),
    passages: t.exposeInt('passages', { nullable: true }),
    embedding: t.exposeString('embedding', {
      nullable: true,
      description: 'The space of vectors that its passages lie in.',
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
      // The vault is asked for each.
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
      'The files of the organization’s assistants, newest first. Their names and states are for its administrators; what is in them is not.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
      assistantId: t.arg({
        type: 'ResourceId',
        required: false,
        description: 'Of this assistant only.',
      }),
      search: t.arg({
        type: 'SearchText',
        required: false,
        description: 'Found in the name of the file.',
      }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { administrator: true, enabled: assistantFiles },
    resolve: (_, asked, { viewer, database }) =>
      listDocuments({ ...asked, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);
