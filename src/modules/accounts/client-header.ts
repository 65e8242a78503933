import { type Client, clientOf } from '../audit/client.ts';

/**
 * Where the address that a request came from is noted; what a client sends under this name is
 * replaced.
 */
export const clientHeader = 'x-atrium-client';

/** Likewise the id of the request. */
export const requestIdHeader = 'x-atrium-request-id';

/** The answer names in it whose account it is about, for the log; it does not leave the process. */
export const personHeader = 'x-atrium-person';

/** Where a request below /auth/ came from, for the audit log. */
export const originOfEvent = (
  headers: Headers | undefined,
): { client: Client; requestId: string | null } => ({
  client: clientOf({
    address: headers?.get(clientHeader) ?? undefined,
    userAgent: headers?.get('user-agent') ?? null,
  }),
  requestId: headers?.get(requestIdHeader) ?? null,
});
