import { fragment } from '../../platform/database/sql.ts';

/** `memberCount` is there where it was read along; elsewhere it is counted when it is asked for. */
export type TeamRow = { id: string; name: string; isDefault: boolean; memberCount?: number };

/** How names are compared: whatever their case and the way their letters are composed. */
export const nameKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** What is read of `teams t`. */
export const teamColumns = fragment`
  t.id, t.name, t.is_default as "isDefault",
  (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'team.members' and owner_id = t.id) as "memberCount"`;
