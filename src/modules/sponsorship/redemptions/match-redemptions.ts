import type { Database } from '../../../platform/database/database.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';

/** A condition on `redemptions r`, and a limit for counting the rows that match it. */
type RedemptionMatch = { condition: Fragment; countLimit: Fragment };

export const matchAll: RedemptionMatch = { condition: fragment``, countLimit: fragment`` };

/** A text that at most this many people and this many workspaces match is rare. */
const rareMax = 1_000;

/** Matches of a common text are counted up to this number: counting a million took six seconds. */
const totalMax = 10_000;

/**
 * SQL for the redemptions whose e-mail address or workspace name contains a text. A partner does
 * not see the names of people, so a match in a name does not count: the index covers names and
 * address together, and a second condition checks the address alone. For a rare text the indexes
 * find the matches. For a common text Postgres scans the redemptions in the order of the page,
 * which soon fills it. Under row-level security the indexes over all people cannot be used, so only
 * the organization's own redemptions are scanned.
 */
export async function matchRedemptions(
  search: string,
  { searchSql, rlsActive }: Database,
): Promise<RedemptionMatch> {
  const pattern = fragment`fold_pattern(${search})`;
  const people = fragment`users u where fold_text(user_search_text(u.email, u.first_name, u.last_name)) like ${pattern} and fold_text(u.email) like ${pattern}`;
  const workspaces = fragment`organizations o where fold_text(o.name) like ${pattern}`;
  const [rarity] = rlsActive
    ? []
    : await searchSql<{ isRare: boolean }>`
    select (select count(*) from (select from ${people} limit ${rareMax + 1}) first_people) <= ${rareMax}
      and (select count(*) from (select from ${workspaces} limit ${rareMax + 1}) first_workspaces) <= ${rareMax} as "isRare"`;
  if (rarity?.isRare) {
    // Each branch has its own index; one condition with OR could not use them.
    const condition = fragment`and r.id in (
      select id from redemptions where user_id in (select u.id from ${people})
      union all select id from redemptions where fold_text(user_email) like ${pattern}
      union all select id from redemptions where sponsored_organization_id in (select o.id from ${workspaces}))`;
    return { condition, countLimit: fragment`` };
  }
  const condition = fragment`and (
    fold_text(r.user_email) like ${pattern} or exists (select from users u where u.id = r.user_id and fold_text(u.email) like ${pattern})
    or exists (select from organizations o where o.id = r.sponsored_organization_id and fold_text(o.name) like ${pattern}))`;
  return { condition, countLimit: fragment`limit ${totalMax}` };
}
