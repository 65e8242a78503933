import { memberOf, personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { AssistantFile, ProcessingStatus } from '../assistant-files/assistant-file.graphql.ts';
import { assistantFiles } from '../organizations/features.ts';
import { type documentStates, findDocument, type VaultEntry } from './find-document.ts';
import { type ListedFile, listDocuments } from './list-documents.ts';

const VaultDocumentState = builder.enumType('VaultDocumentState', {
  description:
    'FOUND: runs search this version. PREVIOUS: runs search the previous version until this one is ready. MISSING: the vault holds neither. UNKNOWN: the vault cannot be reached.',
  values: {
    FOUND: { description: 'The vault holds this version of the file, and runs search it.' },
    PREVIOUS: { description: 'Runs search the previous version until this one is ready.' },
    MISSING: { description: 'The vault holds neither this version nor the previous one.' },
    UNKNOWN: { description: 'The vault cannot be reached.' },
  } satisfies Record<(typeof documentStates)[number], object>,
});

const VaultEntryType = builder.objectRef<VaultEntry>('VaultEntry').implement({
  description: 'What the vault holds of a file.',
  fields: (t) => ({
    state: t.expose('state', {
      type: VaultDocumentState,
      description: 'Which version of the file the vault holds.',
    }),
    passages: t.exposeInt('passages', {
      nullable: true,
      description: 'How many passages the version has; null if the vault holds none.',
    }),
    embedding: t.exposeString('embedding', {
      nullable: true,
      description: 'The embedding that its vectors were made with.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the version was stored in the vault; null if the vault holds none or does not know.',
    }),
  }),
});

const VaultDocument = builder.objectRef<ListedFile>('VaultDocument').implement({
  description: 'A file of the organization, and what the vault holds of it.',
  fields: (t) => ({
    file: t.field({
      type: AssistantFile,
      description: 'The file with the state of its processing.',
      resolve: (file) => file,
    }),
    assistantId: t.exposeID('assistantId', {
      description: 'The id of the assistant that the file belongs to.',
    }),
    assistantName: t.exposeString('assistantName', {
      description: 'The name of the assistant that the file belongs to.',
    }),
    inVault: t.field({
      type: VaultEntryType,
      description:
        'What the vault holds of the file now. Each file that selects this field is one call of the vault.',
      // Each entry is one call of the vault.
      cost: { weight: 5 },
      resolve: ({ assistantId, id, replacesId }, _, { viewer, vaultFor, signal }) =>
        findDocument({ assistantId, id, replacesId, signal }, vaultFor(personOf(viewer))),
    }),
  }),
});

const VaultDocumentOrder = orderType('VaultDocumentOrder', {
  CREATED_AT: 'When the file was uploaded.',
});

builder.queryField('vaultDocuments', (t) =>
  t.field({
    type: connectionType('VaultDocument', VaultDocument),
    description:
      'The files of the assistants of the organization, newest first by default. Administrators see names and states of all files, but not their content.',
    args: {
      ...connectionArgs(),
      assistantId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only files of this assistant.',
      }),
      search: t.arg(searchArg('Only files whose name contains this text.')),
      status: t.arg({
        type: ProcessingStatus,
        required: false,
        description: 'Only files in this state.',
      }),
      orderBy: t.arg({
        type: VaultDocumentOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { administrator: true, enabled: assistantFiles },
    resolve: (_, args, { viewer, database }, info) =>
      listDocuments(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 20),
        { database },
      ),
  }),
);
