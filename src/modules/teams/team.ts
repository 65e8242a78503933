import { fragment } from '../../platform/database/sql.ts';

/** Without `memberCount`, the count is read when a query selects the field. */
export type TeamRow = { id: string; name: string; isDefault: boolean; memberCount?: number };

/** The form in which names are compared: case and Unicode composition do not matter. */
export const nameKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** The columns of `teams t`. */
export const teamColumns = fragment`
  t.id, t.name, t.is_default as "isDefault",
  (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'team.members' and owner_id = t.id) as "memberCount"`;
