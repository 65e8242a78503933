import type { Viewer } from '../../../access/context.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { acceptMembership } from '../../memberships/accept-membership.ts';
import type { Auth } from '../auth.ts';
import { hashSessionToken } from './stored-sessions.ts';

export const organizationHeader = 'x-atrium-organization';

type IdentifySessionDependencies = { auth: Auth; database: Database; clock: Clock };
type SessionRow = {
  sessionId: string;
  userId: string;
  isPlatformSupport: boolean;
  secondFactorEnabled: boolean;
  secondFactorPolicy: 'OPTIONAL' | 'ADMINISTRATORS' | 'EVERYBODY' | null;
  organizationId: string | null;
  isAdmin: boolean | null;
  features: string[] | null;
  isAccepted: boolean | null;
  isStale: boolean;
};

// The time of a session's last use is written at most this often.
const lastUseEveryMs = 300_000;

/**
 * Returns the person who is signed in by the request's cookie, in the organization that the request
 * names or else the one that they joined first. An organization to which somebody else added the
 * person is never the default one: naming it in a request accepts the membership. Membership and
 * role are read on every request. A cookie of an ended session counts as no cookie, because
 * browsers go on sending it.
 */
export function createIdentifySession({ auth, database, clock }: IdentifySessionDependencies) {
  return async function identifySession({
    headers,
    method,
  }: Pick<Request, 'headers' | 'method'>): Promise<Viewer | null> {
    const cookie = headers.get('cookie');
    if (!cookie) return null;
    const { token } = await auth.api.readSessionToken({
      headers: new globalThis.Headers({ cookie }),
    });
    if (!token) return null;
    const requestedOrganization = headers.get(organizationHeader);
    const now = clock();
    const lastUseThreshold = new Date(now.getTime() - lastUseEveryMs);
    const [row] = await database.sql<SessionRow>`
      select s.id as "sessionId", s.user_id as "userId", u.is_platform_support as "isPlatformSupport",
        u.second_factor_enabled as "secondFactorEnabled",
        s.updated_at < ${lastUseThreshold} as "isStale", membership.*
      from sessions s join users u on u.id = s.user_id
      left join lateral (
        select o.id as "organizationId", m.role = 'ADMIN' as "isAdmin", o.features,
          o.second_factor_policy as "secondFactorPolicy", m.accepted_at is not null as "isAccepted"
        from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = s.user_id
          and case when ${requestedOrganization}::text is null then m.accepted_at is not null and not m.was_added else ${requestedOrganization} in (o.id, o.slug) end
        order by (o.id = ${requestedOrganization}) desc, m.accepted_at, o.id limit 1) membership on true
      where s.token = ${hashSessionToken(token)} and s.expires_at > ${now} and (s.second_factor_at is not null or not u.second_factor_enabled)`;
    if (!row) return null;
    const {
      sessionId,
      userId,
      isPlatformSupport,
      organizationId,
      isAdmin,
      features,
      isAccepted,
      isStale,
    } = row;
    if (isStale)
      await database.sql`
        update sessions set updated_at = ${now} where id = ${sessionId} and updated_at < ${lastUseThreshold}`;
    const session = {
      kind: 'SESSION' as const,
      sessionId,
      userId,
      isPlatformSupport,
      features: new Set(features),
      lacksSecondFactor: false,
    };
    if (!row.secondFactorEnabled && requiresSecondFactor(row)) {
      const withoutOrganization = {
        organizationId: null,
        isAdmin: false as const,
        features: new Set<string>(),
        isPlatformSupport: false,
      };
      return { ...session, ...withoutOrganization, lacksSecondFactor: true };
    }
    // A link on another site can make a browser send a GET, so only a POST accepts the membership.
    if (organizationId !== null && !isAccepted && method === 'POST')
      await acceptMembership({ organizationId, userId }, { database, clock });
    if (organizationId !== null) return { ...session, organizationId, isAdmin: isAdmin === true };
    if (requestedOrganization !== null)
      throw new AppError('FORBIDDEN', 'You are not a member of this organization', 'NOT_A_MEMBER');
    return { ...session, organizationId: null, isAdmin: false };
  };
}

const requiresSecondFactor = ({
  isPlatformSupport,
  secondFactorPolicy,
  isAdmin,
}: SessionRow): boolean =>
  isPlatformSupport ||
  secondFactorPolicy === 'EVERYBODY' ||
  (secondFactorPolicy === 'ADMINISTRATORS' && isAdmin === true);
