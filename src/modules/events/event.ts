import type { Prisma } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { changesOf } from '../audit/audit-changes.ts';
import { type EventType, typeOfAction } from './event-types.ts';

/** An id of a resource that an event concerns besides its own, such as `campaignId`. */
export type EventReference = { name: string; id: string };

/** What an event tells of a change: identifiers and the names of the changed fields. */
export type EventData = {
  resourceType: string;
  resourceId: string;
  references: EventReference[];
  changedFields: string[];
};

export type OrganizationEvent = {
  id: string;
  type: EventType;
  timestamp: string;
  data: EventData;
};

/** What an event is made of: an entry of the audit log. */
export type EventRow = {
  id: string;
  at: string;
  action: string;
  targetType: string;
  targetId: string;
  changes: Prisma.JsonValue;
};

/** The columns of `audit_entries e`. */
export const eventColumns = fragment`
  e.id, e.at, e.action, e.target_type as "targetType", e.target_id as "targetId", e.changes`;

/**
 * The event of an entry. Values of fields are content that not every receiver may have, so only
 * ids leave the entry.
 */
export function toEvent({ id, at, action, ...entry }: EventRow): OrganizationEvent {
  const type = typeOfAction(action);
  if (type === undefined) throw new Error(`The action ${action} is no event`);
  const references: EventReference[] = [];
  const changedFields: string[] = [];
  for (const { field, value } of changesOf(entry)) {
    if (field.endsWith('Id') && typeof value === 'string')
      references.push({ name: field, id: value });
    else changedFields.push(field);
  }
  references.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    id,
    type,
    timestamp: at,
    data: {
      resourceType: entry.targetType,
      resourceId: entry.targetId,
      references,
      changedFields,
    },
  };
}
