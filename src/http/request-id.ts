import { randomUUID } from 'node:crypto';

// An API key that was sent by mistake must not get into the audit log.
const requestIdForm = /^(?!.*sk_)[A-Za-z0-9._-]{1,128}$/;

/**
 * The id of a request: the sender's own, if its `X-Request-Id` is well-formed, or else a new one.
 * Nothing trusts an id to be unique or secret: it only names the request in answers, log lines and
 * audit entries, each of which has its own id, and names the sender.
 */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && requestIdForm.test(sent) ? sent : randomUUID();
}
