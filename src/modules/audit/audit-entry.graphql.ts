import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { ActorKind } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { type AuditChange, changesOf } from './audit-changes.ts';
import type { AuditEntry as AuditEntryRow } from './audit-entry.ts';
import { listEntries } from './list-entries.ts';
import { readEntries } from './read-entries.ts';
import { readNames } from './read-names.ts';

const auditWordRule = text({ min: 1, max: 100 });

builder.enumType(ActorKind, {
  name: 'ActorKind',
  description: 'Who made a change.',
  values: {
    ORGANIZATION_KEY: { description: 'A program with an API key of the organization.' },
    USER_KEY: { description: 'A program with an API key of a member.' },
    SESSION: { description: 'A person who is signed in, or has followed the link of a mail.' },
    SYSTEM: { description: 'Atrium itself, without a request.' },
  },
});

export const AuditChangeType = builder.objectRef<AuditChange>('AuditChange').implement({
  description: 'A field that a change has set. Secrets are never in the audit log.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'The name of the field, such as `name` or `sponsoredUntil`.',
    }),
    value: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description:
        'The value after the change, whose form depends on the field; null if it was cleared. Of an assistant’s instructions only hash and length.',
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The value before the change; null if there was none or it was not recorded.',
    }),
  }),
});

const AuditEntry = builder.objectRef<AuditEntryRow>('AuditEntry').implement({
  interfaces: [Node],
  description:
    'A change and who made it. Entries are never changed, and deleted only after the retention that the operator sets.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the entry, an opaque string. Later entries have greater ids.',
    }),
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
        'The id of the person who made the change, also if they are no longer a member. Null for an organization key and for Atrium itself.',
    }),
    actorUser: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who made the change; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => entry.actorUserId,
    }),
    actorName: t.loadable({
      type: 'String',
      nullable: true,
      description:
        'The current name of the person or else of the key; null if it no longer exists, and for Atrium itself. A person who has redeemed a link of the organization without being a member is named by the e-mail address.',
      load: (actorIds: string[], { viewer, database }) =>
        readNames({ organizationId: memberOf(viewer).organizationId, ids: actorIds }, { database }),
      resolve: (entry) => entry.actorUserId ?? entry.actorKeyId,
    }),
    action: t.exposeString('action', {
      description: 'What was done, such as `create-campaign`. New kinds of changes add new values.',
    }),
    targetType: t.exposeString('targetType', {
      description:
        'The kind of resource that was changed, such as `Campaign`. New kinds of resources add new values.',
    }),
    targetId: t.exposeID('targetId', {
      description: 'The id of the changed resource, also if it no longer exists.',
    }),
    targetName: t.loadable({
      type: 'String',
      nullable: true,
      description: 'The current name of the target; null if it no longer exists or has no name.',
      load: (targetIds: string[], { viewer, database }) =>
        readNames(
          { organizationId: memberOf(viewer).organizationId, ids: targetIds },
          { database },
        ),
      resolve: (entry) => entry.targetId,
    }),
    user: t.loadable({
      type: User,
      nullable: true,
      description: 'The user whom the change concerns; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => (entry.targetType === 'User' ? entry.targetId : userIdIn(entry.changes)),
    }),
    changes: t.field({
      type: [AuditChangeType],
      description: 'The changed fields.',
      cost: { listSize: { assumedSize: 2 } },
      resolve: changesOf,
    }),
    requestId: t.exposeID('requestId', {
      nullable: true,
      description:
        'The id of the request, as in the header X-Request-Id of its response; null for changes that Atrium made itself.',
    }),
    network: t.exposeString('network', {
      nullable: true,
      description:
        'The IP address of the request, for IPv6 its /64 network; null for changes that Atrium made itself, and for a person outside of the organization.',
    }),
    device: t.exposeString('device', {
      nullable: true,
      description: 'The browser or program that sent the request, such as “Firefox on Windows”.',
    }),
  }),
});

function userIdIn(changes: unknown): string | null {
  const { userId }: { userId?: unknown } = Object(changes);
  return typeof userId === 'string' ? userId : null;
}

addNodeSource('AuditEntry', {
  scopes: { administrator: true },
  table: fragment`audit_entries`,
  load: (ids, { viewer, database }) =>
    readEntries({ organizationId: memberOf(viewer).organizationId, ids }, { database }),
});

const AuditEntryConnection = connectionType('AuditEntry', AuditEntry);
const AuditEntryOrder = orderType('AuditEntryOrder', { AT: 'When the change was made.' });

builder.queryField('auditEntries', (t) =>
  t.field({
    type: AuditEntryConnection,
    description:
      'The changes in the organization, newest first by default. What is written for each run and each processed file is left out, unless `action`, `targetType` or `targetId` is set.',
    args: {
      ...connectionArgs(),
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
      action: t.arg({
        type: 'String',
        rule: auditWordRule,
        required: false,
        description: 'Only entries with this action, such as `create-campaign`.',
      }),
      actorKeyId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only changes that were made with this API key.',
      }),
      actorUserId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only changes that this person made.',
      }),
      targetType: t.arg({
        type: 'String',
        rule: auditWordRule,
        required: false,
        description: 'Only changes of resources of this kind, such as `Campaign`.',
      }),
      targetId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only changes of this resource.',
      }),
      orderBy: t.arg({
        type: AuditEntryOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { administrator: true },
    resolve: (_, args, { viewer, database }, info) =>
      listEntries(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 20),
        { database },
      ),
  }),
);
