import type { AuditTotalQueryVariables } from './documents.ts';

/**
 * What the log is asked for, as it stands in the address of the page, so that it can be sent to
 * somebody.
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

export function filterIn(search: URLSearchParams): AuditFilter {
  const [action = '', actor = '', target = '', from = '', to = ''] = filterNames.map(
    (name) => search.get(name) ?? '',
  );
  return { action, actor, target, from, to };
}

/** An actor is written as `user:<id>` or `key:<id>`. */
export function variablesOf({
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
    from: startOf(from, 0),
    // The last day counts to its end.
    until: startOf(to, 1),
  };
}

/** When a day begins, or one some days later, in the time zone of who looks. */
function startOf(day: string, daysLater: number): string | null {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
