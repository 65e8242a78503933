import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { parseEmailAddress } from './email-address.ts';

type MatchingMembersInput = {
  organizationId: string;
  search: string;
  /** Further conditions on `memberships m`. */
  condition?: Fragment;
  /**
   * True for one condition that is checked for each member in the order of the list; false for two
   * conditions that each use an index.
   */
  usesListOrder: boolean;
};

/**
 * SQL for the members whose address or names contain a text, as rows (user_id, user_created_at, updated_at).
 * Only the names that the organization can see count: a person's own names must not be found before
 * the person has accepted the membership.
 */
export function matchingMembers({
  organizationId,
  search,
  condition = fragment``,
  usesListOrder,
}: MatchingMembersInput): Fragment {
  // The indexed text joins its three fields with line breaks, and no field contains one.
  const canMatch = search.includes('\n') ? fragment`and false` : fragment``;
  // Addresses are stored with their domain in ASCII; a program searches what it has sent.
  const pattern = fragment`fold_pattern(${parseEmailAddress(search) ?? search})`;
  const ownText = fragment`fold_text(user_search_text(u.email, u.first_name, u.last_name)) like ${pattern}`;
  const address = fragment`fold_text(u.email) like ${pattern}`;
  const givenNames = fragment`(m.given_first_name <> '' or m.given_last_name <> '') and fold_text(user_search_text('', m.given_first_name, m.given_last_name)) like ${pattern}`;
  const showsOwnNames = fragment`shows_own_names(m.accepted_at, u.first_name, u.last_name)`;
  const members = fragment`
    select m.user_id, m.user_created_at, m.updated_at from memberships m join users u on u.id = m.user_id where m.organization_id = ${organizationId} ${canMatch} ${condition}`;
  if (usesListOrder)
    return fragment`${members} and case when ${showsOwnNames} then ${ownText} else ${address} or (${givenNames}) end`;
  return fragment`
    ${members} and ${ownText} and (${showsOwnNames} or ${address})
    union all ${members} and ${givenNames} and not ${showsOwnNames} and not ${address}`;
}
