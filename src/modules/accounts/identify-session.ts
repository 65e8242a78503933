import type { Viewer } from '../../graph/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Auth } from './auth.ts';

export const organizationHeader = 'x-atrium-organization';

type SessionParts = { auth: Auth; database: Database; clock: Clock };
type SessionRow = {
  sessionId: string;
  userId: string;
  isPlatformSupport: boolean;
  organizationId: string | null;
  isAdmin: boolean | null;
  features: string[] | null;
  isStale: boolean;
};

// So often at most it is noted that a session is in use.
const notedEveryMs = 300_000;

/**
 * Who is signed in by the request's cookie, in the organization of their choice or the one they joined first. Membership
 * and role are read anew each time. A cookie that opens nothing any more counts as none: browsers go on sending it.
 */
export function createSessions({ auth, database, clock }: SessionParts) {
  return async function identifySession({ headers }: Pick<Request, 'headers'>): Promise<Viewer | null> {
    const cookie = headers.get('cookie');
    if (!cookie) return null;
    const { token } = await auth.api.readSessionToken({ headers: new globalThis.Headers({ cookie }) });
    if (!token) return null;
    const wanted = headers.get(organizationHeader);
    const now = clock();
    const noted = new Date(now.getTime() - notedEveryMs);
    const [row] = await database.sql<SessionRow>`
      select s.id as "sessionId", s.user_id as "userId", u.is_platform_support as "isPlatformSupport",
        s.updated_at < ${noted} as "isStale", place.*
      from sessions s join users u on u.id = s.user_id
      left join lateral (
        select o.id as "organizationId", m.role = 'ADMIN' as "isAdmin", o.features
        from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = s.user_id and (${wanted}::text is null or ${wanted} in (o.id, o.slug))
        order by (o.id = ${wanted}) desc, m.created_at, o.id limit 1) place on true
      where s.token = ${token} and s.expires_at > ${now}`;
    if (!row) return null;
    const { sessionId, userId, isPlatformSupport, organizationId, isAdmin, features, isStale } = row;
    if (isStale) await database.prisma.session.updateMany({ where: { id: sessionId, updatedAt: { lt: noted } }, data: { updatedAt: now } });
    const session = { kind: 'SESSION' as const, sessionId, userId, isPlatformSupport, features: new Set(features) };
    if (organizationId !== null) return { ...session, organizationId, isAdmin: isAdmin === true };
    if (wanted !== null) throw new AppError('FORBIDDEN', 'You are not a member of this organization');
    return { ...session, organizationId: null, isAdmin: false };
  };
}
