import { type AuditClient, auditClientOf } from '../audit/audit-client.ts';

/**
 * The header in which we pass the client's address to better-auth. A value that the client sends
 * under this name is replaced.
 */
export const clientHeader = 'x-atrium-client';

/** The header in which we pass the id of the request to better-auth. */
export const requestIdHeader = 'x-atrium-request-id';

/**
 * The response header that names the account of the call, for the log. It does not leave the
 * process.
 */
export const personHeader = 'x-atrium-person';

/** The client and the id of a request below /auth/, for the audit log. */
export const originOfEvent = (
  headers: Headers | undefined,
): { client: AuditClient; requestId: string | null } => ({
  client: auditClientOf({
    address: headers?.get(clientHeader) ?? undefined,
    userAgent: headers?.get('user-agent') ?? null,
  }),
  requestId: headers?.get(requestIdHeader) ?? null,
});
