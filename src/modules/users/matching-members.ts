import { type Fragment, fragment } from '../../platform/database/sql.ts';

type MatchingMembers = {
  organizationId: string;
  search: string;
  /**
   * One condition that every member is tried with, in the order of the list, instead of two that
   * have an index each.
   */
  isInOrder: boolean;
};

/**
 * The members, as rows (user_id, user_created_at), in whose address or names a text is found. The
 * names are those that the organization sees: a name that the person has not shown to it yet must
 * not be found either.
 */
export function matchingMembers({ organizationId, search, isInOrder }: MatchingMembers): Fragment {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const own = fragment`user_search_text(u.email, u.first_name, u.last_name) like lower(${pattern})`;
  const address = fragment`u.email like lower(${pattern})`;
  const given = fragment`(m.given_first_name <> '' or m.given_last_name <> '') and user_search_text('', m.given_first_name, m.given_last_name) like lower(${pattern})`;
  const showsOwn = fragment`shows_own_names(m.accepted_at, u.first_name, u.last_name)`;
  const members = fragment`
    select m.user_id, m.user_created_at from memberships m join users u on u.id = m.user_id where m.organization_id = ${organizationId}`;
  if (isInOrder)
    return fragment`${members} and case when ${showsOwn} then ${own} else ${address} or (${given}) end`;
  return fragment`
    ${members} and ${own} and (${showsOwn} or ${address})
    union all ${members} and ${given} and not ${showsOwn} and not ${address}`;
}
