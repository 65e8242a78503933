import type { Viewer } from '../../graph/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { acceptMembership } from '../memberships/accept-membership.ts';
import type { Auth } from './auth.ts';
import { hashSessionToken } from './stored-sessions.ts';

export const organizationHeader = 'x-atrium-organization';

type SessionParts = { auth: Auth; database: Database; clock: Clock };
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

// So often at most it is noted that a session is in use.
const notedEveryMs = 300_000;

/**
 * Who is signed in by the request's cookie, in the organization of their choice or the one they
 * joined first. An organization that somebody else added the person to is never the default one;
 * naming it is the first visit, which accepts the membership. Membership and role are read anew
 * each time. A cookie that opens nothing any more counts as none: browsers go on sending it.
 */
export function createSessions({ auth, database, clock }: SessionParts) {
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
    const wanted = headers.get(organizationHeader);
    const now = clock();
    const noted = new Date(now.getTime() - notedEveryMs);
    const [row] = await database.sql<SessionRow>`
      select s.id as "sessionId", s.user_id as "userId", u.is_platform_support as "isPlatformSupport",
        u.second_factor_enabled as "secondFactorEnabled",
        s.updated_at < ${noted} as "isStale", place.*
      from sessions s join users u on u.id = s.user_id
      left join lateral (
        select o.id as "organizationId", m.role = 'ADMIN' as "isAdmin", o.features,
          o.second_factor_policy as "secondFactorPolicy", m.accepted_at is not null as "isAccepted"
        from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = s.user_id
          and case when ${wanted}::text is null then m.accepted_at is not null and not m.was_added else ${wanted} in (o.id, o.slug) end
        order by (o.id = ${wanted}) desc, m.accepted_at, o.id limit 1) place on true
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
      await database.prisma.session.updateMany({
        where: { id: sessionId, updatedAt: { lt: noted } },
        data: { updatedAt: now },
      });
    const session = {
      kind: 'SESSION' as const,
      sessionId,
      userId,
      isPlatformSupport,
      features: new Set(features),
      lacksSecondFactor: false,
    };
    if (!row.secondFactorEnabled && requiresSecondFactor(row)) {
      const nothing = {
        organizationId: null,
        isAdmin: false as const,
        features: new Set<string>(),
        isPlatformSupport: false,
      };
      return { ...session, ...nothing, lacksSecondFactor: true };
    }
    // A link on another site can make a browser send a GET, which must not accept anything.
    if (organizationId !== null && !isAccepted && method === 'POST')
      await acceptMembership({ organizationId, userId }, { database, clock });
    if (organizationId !== null) return { ...session, organizationId, isAdmin: isAdmin === true };
    if (wanted !== null)
      throw new AppError('FORBIDDEN', 'You are not a member of this organization');
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
