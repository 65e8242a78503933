import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { integer, verbatim } from '../../../graph/schema/input-rules.ts';
import { ActorKind } from '../../../platform/database/generated/client.ts';
import { auditLog } from '../../organizations/features.ts';
import { AuditChangeType } from '../audit-entry.graphql.ts';
import { AuditCheckpoint } from './checkpoint.graphql.ts';
import { type EntryProof, readProof } from './read-proof.ts';
import { readSealedEntries, type SealedPage } from './read-sealed-entries.ts';
import type { SealedEntry } from './sealed-entry.ts';

export const SealedAuditEntry = builder.objectRef<SealedEntry>('SealedAuditEntry').implement({
  description:
    'A change and who made it, at its place in the Merkle tree over the audit log. Its hash covers all other fields.',
  fields: (t) => ({
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'The place in the tree: 0 for the first entry, and no number is left out.',
    }),
    id: t.exposeID('id', { description: 'The id of the entry, an opaque string.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    actorKind: t.expose('actorKind', {
      type: ActorKind,
      description: 'Whether a person, a key or Atrium itself made the change.',
    }),
    actorKeyId: t.exposeID('actorKeyId', {
      nullable: true,
      description: 'The API key of the request; null for a signed-in person.',
    }),
    actorUserId: t.exposeID('actorUserId', {
      nullable: true,
      description:
        'The id of the person who made the change. Null for an organization key and for Atrium itself.',
    }),
    action: t.exposeString('action', {
      description: 'What was done, such as `create-campaign`. New kinds of changes add new values.',
    }),
    targetType: t.exposeString('targetType', {
      description: 'The kind of resource that was changed, such as `Campaign`.',
    }),
    targetId: t.exposeID('targetId', {
      description: 'The id of the changed resource, also if it no longer exists.',
    }),
    changes: t.field({
      type: [AuditChangeType],
      description: 'The changed fields.',
      cost: { listSize: { assumedSize: 2 } },
      resolve: ({ changes }) => changes,
    }),
    requestId: t.exposeID('requestId', {
      nullable: true,
      description: 'The id of the request; null for changes that Atrium made itself.',
    }),
    network: t.exposeString('network', {
      nullable: true,
      description: 'The IP address of the request, for IPv6 its /64 network.',
    }),
    device: t.exposeString('device', {
      nullable: true,
      description: 'The browser or program that sent the request.',
    }),
    leafHash: t.exposeString('leafHash', {
      description:
        'The hash of the entry in the tree: SHA-256 of a zero byte and of all other fields as canonical JSON (RFC 8785), in hexadecimal digits.',
    }),
  }),
});

const SealedAuditEntries = builder.objectRef<SealedPage>('SealedAuditEntries').implement({
  description: 'The next sealed entries of an audit log.',
  fields: (t) => ({
    entries: t.field({
      type: [SealedAuditEntry],
      description: 'The entries, in the order of their positions.',
      cost: { listSize: { assumedSize: 100 } },
      resolve: ({ entries }) => entries,
    }),
    next: t.exposeString('next', { description: 'The value of `after` for the next call.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more entries can be read now.' }),
  }),
});

const AuditProof = builder.objectRef<EntryProof>('AuditProof').implement({
  description:
    'The proof that an entry is in the audit log: its hash and the path give the root of the checkpoint (RFC 9162, 2.1.3).',
  fields: (t) => ({
    leafIndex: t.expose('leafIndex', {
      type: 'SafeInt',
      description: 'The position of the entry.',
    }),
    leafHash: t.exposeString('leafHash', { description: 'The hash of the entry.' }),
    treeSize: t.expose('treeSize', {
      type: 'SafeInt',
      description: 'The size of the tree, which is that of the checkpoint.',
    }),
    path: t.exposeStringList('path', {
      description: 'The hashes of the siblings, from the leaf to the root, in hexadecimal digits.',
    }),
    checkpoint: t.expose('checkpoint', {
      type: AuditCheckpoint,
      description: 'The newest checkpoint.',
    }),
  }),
});

builder.queryFields((t) => ({
  sealedAuditEntries: t.field({
    type: SealedAuditEntries,
    description:
      'The entries of the audit log after a cursor, in the order in which they were sealed, which happens some seconds after the change.',
    args: {
      after: t.arg({
        type: 'String',
        rule: verbatim({ max: 200 }),
        required: false,
        description:
          'The `next` of an earlier answer; without it, the answer begins with the oldest entry.',
      }),
      limit: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 1_000 }),
        defaultValue: 100,
        description: 'How many entries the answer has at most, 1 to 1,000.',
      }),
      from: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The start of the period; inclusive.',
      }),
      until: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The end of the period; exclusive.',
      }),
    },
    cost: { listSize: { slicingArguments: ['limit'], sizedFields: ['entries'], assumedSize: 100 } },
    authScopes: { manages: auditLog },
    resolve: (_, args, { viewer, database }) =>
      readSealedEntries({ ...args, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
  auditProof: t.field({
    type: AuditProof,
    description: 'The proof that an entry is in the audit log.',
    args: { entryId: t.arg({ type: 'ID', description: 'The id of the entry.' }) },
    authScopes: { manages: auditLog },
    resolve: (_, { entryId }, { viewer, database }) =>
      readProof({ organizationId: memberOf(viewer).organizationId, entryId }, { database }),
  }),
}));
