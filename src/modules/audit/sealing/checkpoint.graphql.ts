import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { integer, verbatim } from '../../../graph/schema/input-rules.ts';
import { auditLog } from '../../organizations/features.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  type CheckpointPage,
  listCheckpoints,
  requireLatestCheckpoint,
} from './read-checkpoints.ts';

export const AuditCheckpoint = builder.objectRef<Checkpoint>('AuditCheckpoint').implement({
  description:
    'The signed root of the Merkle tree over the audit log: it proves which entries the log had at a time.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', {
      description: 'The organization whose log it is.',
    }),
    size: t.expose('size', { type: 'SafeInt', description: 'How many entries the tree had.' }),
    root: t.exposeString('root', {
      description: 'The root of the tree (RFC 9162, SHA-256), in hexadecimal digits.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the root was signed.' }),
    previousRoot: t.exposeString('previousRoot', {
      nullable: true,
      description: 'The root of the checkpoint before it; null for the first one.',
    }),
    jws: t.exposeString('jws', {
      description:
        'All other fields as JSON, signed as a compact JWS with EdDSA. The public keys are at /.well-known/atrium-receipts.json.',
    }),
  }),
});

const AuditCheckpoints = builder.objectRef<CheckpointPage>('AuditCheckpoints').implement({
  description: 'The next checkpoints of an audit log.',
  fields: (t) => ({
    checkpoints: t.field({
      type: [AuditCheckpoint],
      description: 'The checkpoints, smallest first.',
      cost: { listSize: { assumedSize: 100 } },
      resolve: ({ checkpoints }) => checkpoints,
    }),
    next: t.exposeString('next', { description: 'The value of `after` for the next call.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more checkpoints now.' }),
  }),
});

builder.queryFields((t) => ({
  auditCheckpoints: t.field({
    type: AuditCheckpoints,
    description: 'The checkpoints of the audit log, smallest first.',
    args: {
      after: t.arg({
        type: 'String',
        rule: verbatim({ max: 200 }),
        required: false,
        description: 'The `next` of an earlier answer; without it, the list begins with the first.',
      }),
      limit: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 1_000 }),
        defaultValue: 100,
        description: 'How many checkpoints the answer has at most, 1 to 1,000.',
      }),
    },
    cost: {
      listSize: { slicingArguments: ['limit'], sizedFields: ['checkpoints'], assumedSize: 100 },
    },
    authScopes: { manages: auditLog },
    resolve: (_, args, { viewer, database }) =>
      listCheckpoints({ ...args, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
  latestAuditCheckpoint: t.field({
    type: AuditCheckpoint,
    description: 'The newest checkpoint of the audit log; before the first one it is not found.',
    authScopes: { manages: auditLog },
    resolve: (_, __, { viewer, database }) =>
      requireLatestCheckpoint({ organizationId: memberOf(viewer).organizationId }, { database }),
  }),
}));
