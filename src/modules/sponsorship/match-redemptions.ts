import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';

type Piece = ReturnType<typeof fragment>;

/** A condition on `redemptions r`, and how far what fits it is counted. */
type Matching = { condition: Piece; countedTo: Piece };

export const everything: Matching = { condition: fragment``, countedTo: fragment`` };

/** With this many people or workspaces that fit a text it is rare. */
const rareMax = 1_000;

/** What fits a common text is counted up to here: counting a million took six seconds. */
const totalMax = 10_000;

/**
 * Redemptions in whose address or workspace's name a text is found. A partner sees no names of
 * people, so none is searched: the text that is indexed holds them, and the address alone decides.
 * A rare text is looked up in its indexes; for a common one the redemptions are gone through in
 * their own order, which ends soon. Behind a wall no index helps to look through all people, and
 * only one's own redemptions are gone through.
 */
export async function matchingBy(
  search: string,
  { searchSql, rlsActive }: Database,
): Promise<Matching> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const people = fragment`users u where user_search_text(u.email, u.first_name, u.last_name) like lower(${pattern}) and u.email like lower(${pattern})`;
  const workspaces = fragment`organizations o where lower(o.name) like lower(${pattern})`;
  const [fitting] = rlsActive
    ? []
    : await searchSql<{ isRare: boolean }>`
    select (select count(*) from (select from ${people} limit ${rareMax + 1}) few) <= ${rareMax}
      and (select count(*) from (select from ${workspaces} limit ${rareMax + 1}) few) <= ${rareMax} as "isRare"`;
  if (fitting?.isRare) {
    // Each half has an index of its own, which one condition with OR could not use.
    const condition = fragment`and r.id in (
      select id from redemptions where user_id in (select u.id from ${people})
      union all select id from redemptions where user_email like lower(${pattern})
      union all select id from redemptions where sponsored_organization_id in (select o.id from ${workspaces}))`;
    return { condition, countedTo: fragment`` };
  }
  const condition = fragment`and (
    r.user_email like lower(${pattern}) or exists (select from users u where u.id = r.user_id and u.email like lower(${pattern}))
    or exists (select from organizations o where o.id = r.sponsored_organization_id and lower(o.name) like lower(${pattern})))`;
  return { condition, countedTo: fragment`limit ${totalMax}` };
}
