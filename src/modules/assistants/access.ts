import { type Fragment, fragment } from '../../platform/database/sql.ts';

/** The access levels of an assistant, lowest first. Each level includes the ones before it. */
export const accessLevels = ['VIEW', 'EDIT', 'OWNER'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** The member of an organization who makes the request. */
export type Person = { organizationId: string; userId: string; isAdmin: boolean };

export const allows = (level: AccessLevel, needed: AccessLevel): boolean =>
  accessLevels.indexOf(level) >= accessLevels.indexOf(needed);

/**
 * The shares `s` that apply to a person: their own, those of their teams, and those for everybody.
 */
const sharesReaching = ({ organizationId, userId }: Person): Fragment => fragment`
  s.organization_id = ${organizationId}
    and (s.user_id = ${userId} or (s.user_id is null and s.team_id is null)
      or s.team_id in (select team_id from team_memberships where organization_id = ${organizationId} and user_id = ${userId}))`;

/**
 * When `assistants a` last changed for a person: its own fields, or a share or a team that gives the
 * person access. Null shares are those of an administrator who owns it without one.
 */
export const changedFor = (person: Person): Fragment => fragment`
  greatest(a.updated_at, (
    select max(greatest(s.created_at, (
      select tm.created_at from team_memberships tm where tm.team_id = s.team_id and tm.user_id = ${person.userId})))
    from assistant_shares s where s.assistant_id = a.id and ${sharesReaching(person)}))`;

/** The administrators of the organization own an assistant that has lost its last owner. */
const withoutOwner = (assistantId: Fragment): Fragment =>
  fragment`not exists (select from assistant_shares w where w.assistant_id = ${assistantId} and w.level = 'OWNER')`;

/**
 * The assistants that a person has access to, each with the highest level that a share gives them.
 */
export const accessOf = (person: Person): Fragment => fragment`
  select assistant_id, max(level) as level from (
    select s.assistant_id, s.level from assistant_shares s where ${sharesReaching(person)}
    ${person.isAdmin ? orphanedAssistantsOf(person) : fragment``}
  ) granted group by assistant_id`;

const orphanedAssistantsOf = ({ organizationId }: Person): Fragment => fragment`
  union all select o.id, 'OWNER' from assistants o where o.organization_id = ${organizationId} and ${withoutOwner(fragment`o.id`)}`;

/**
 * Whether a person has any access to `assistants a`. It is cheaper than `accessOf`, which also
 * computes the level.
 */
export const isAccessibleTo = (person: Person): Fragment => fragment`
  (exists (select from assistant_shares s where s.assistant_id = a.id and ${sharesReaching(person)})
    ${person.isAdmin ? fragment`or ${withoutOwner(fragment`a.id`)}` : fragment``})`;
