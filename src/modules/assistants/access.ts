import { type Fragment, fragment } from '../../platform/database/sql.ts';

/** What somebody may do with an assistant, each more than the one before. */
export const accessLevels = ['VIEW', 'EDIT', 'OWNER'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** Who asks: a member of an organization. */
export type Person = { organizationId: string; userId: string; isAdmin: boolean };

export const reaches = (level: AccessLevel, needed: AccessLevel): boolean =>
  accessLevels.indexOf(level) >= accessLevels.indexOf(needed);

/** The shares `s` that reach a person: one for them, for a team of theirs, or for everybody. */
const reaching = ({ organizationId, userId }: Person): Fragment => fragment`
  s.organization_id = ${organizationId}
    and (s.user_id = ${userId} or (s.user_id is null and s.team_id is null)
      or s.team_id in (select team_id from team_memberships where organization_id = ${organizationId} and user_id = ${userId}))`;

/** An assistant that lost its last owner falls to the administrators of the organization. */
const withoutOwner = (assistantId: Fragment): Fragment =>
  fragment`not exists (select from assistant_shares w where w.assistant_id = ${assistantId} and w.level = 'OWNER')`;

/** The assistants that a person may do something with, each with the most that any share gives. */
export const accessOf = (person: Person): Fragment => fragment`
  select assistant_id, max(level) as level from (
    select s.assistant_id, s.level from assistant_shares s where ${reaching(person)}
    ${person.isAdmin ? fallenTo(person) : fragment``}
  ) granted group by assistant_id`;

const fallenTo = ({ organizationId }: Person): Fragment => fragment`
  union all select o.id, 'OWNER' from assistants o where o.organization_id = ${organizationId} and ${withoutOwner(fragment`o.id`)}`;

/**
 * Whether a person may do anything with `assistants a`: asked where nobody wants to know how much.
 */
export const isInReachOf = (person: Person): Fragment => fragment`
  (exists (select from assistant_shares s where s.assistant_id = a.id and ${reaching(person)})
    ${person.isAdmin ? fragment`or ${withoutOwner(fragment`a.id`)}` : fragment``})`;
