import type { AuditTotalQueryVariables } from './documents.ts';

/**
 * The filters of the log. They are stored in the page's address, so that the address can be shared.
 */
export type AuditFilter = {
  action: string;
  actor: string;
  target: string;
  from: string;
  to: string;
};

export const filterNames = [
  'action',
  'actor',
  'target',
  'from',
  'to',
] as const satisfies (keyof AuditFilter)[];

export function parseFilter(search: URLSearchParams): AuditFilter {
  const [action = '', actor = '', target = '', from = '', to = ''] = filterNames.map(
    (name) => search.get(name) ?? '',
  );
  return { action, actor, target, from, to };
}

/** Converts the filters to query variables. An actor has the form `user:<id>` or `key:<id>`. */
export function toVariables({
  action,
  actor,
  target,
  from,
  to,
}: AuditFilter): AuditTotalQueryVariables {
  const [kind, id] = [actor.slice(0, actor.indexOf(':')), actor.slice(actor.indexOf(':') + 1)];
  return {
    action: action || null,
    actorUserId: kind === 'user' ? id : null,
    actorKeyId: kind === 'key' ? id : null,
    targetId: target || null,
    from: startOfDay(from, 0),
    // The last day is included.
    until: startOfDay(to, 1),
  };
}

/** The start of a day, plus `daysLater` days, in the person's time zone. */
function startOfDay(day: string, daysLater: number): string | null {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
