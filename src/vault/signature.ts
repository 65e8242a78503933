import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { readJsonBody } from '../http/body.ts';
import { AppError } from '../platform/errors.ts';

/**
 * Who a request is for. A request for the vault is no valid request for the vector database, whose
 * paths are similar.
 */
type SignatureAudience = 'vault' | 'vector-db';

/** The secret, and the server that requires it. */
export type VaultAccess = { secret: string; audience: SignatureAudience };

/** The parts of a request that its signature covers. */
type SignedRequest = { method: string; path: string };

const scheme = 'Atrium-Signature';
/** Instead of the hash of a body that is streamed, or of none. */
const unhashedBody = '-';

/** As with the signatures of AWS: longer than clocks differ that a time service sets. */
const clockDifferenceMaxSeconds = 300;

/**
 * The Authorization header of a request between API, vault and vector database. It proves that the
 * sender knows the secret without containing it, so whoever receives the request by mistake can
 * repeat no more than this request, and only for five minutes.
 */
export function signRequest(
  { method, path, text }: SignedRequest & { text?: string | undefined },
  { secret, audience }: VaultAccess,
): string {
  const time = String(Math.floor(Date.now() / 1000));
  const body = text === undefined ? unhashedBody : hash('sha256', text, 'base64url');
  const signature = signatureOf({ method, path, time, body }, { secret, audience });
  return `${scheme} ${time}.${body}.${signature.toString('base64url')}`;
}

const signatureForm = /^Atrium-Signature +(\d{1,12})\.([\w-]+)\.([\w-]{43})$/i;

/** Rejects a request whose signature is wrong. False if the request has no signature. */
export function verifySignature(request: Request, { secret, audience }: VaultAccess): boolean {
  const parts = signatureForm.exec(request.headers.get('authorization') ?? '');
  if (!parts) return false;
  const [, time = '', body = '', shown = ''] = parts;
  const { pathname, search } = new URL(request.url);
  const signed = { method: request.method, path: pathname + search, time, body };
  const expected = signatureOf(signed, { secret, audience });
  if (!timingSafeEqual(Buffer.from(shown, 'base64url'), expected)) throw wrongSignature();
  const difference = Math.round(Date.now() / 1000 - Number(time));
  if (Math.abs(difference) > clockDifferenceMaxSeconds)
    throw new RejectedSignature(
      'clocks_differ',
      `The clocks differ by ${Math.abs(difference)} seconds, and may differ by ${clockDifferenceMaxSeconds}: set the clocks of both machines`,
    );
  return true;
}

/** The JSON object of a request. Rejects a body other than the one that was signed. */
export async function readSignedJson(request: Request): Promise<Record<string, unknown>> {
  const { object, bytes } = await readJsonBody(request);
  const [, , body = unhashedBody] =
    signatureForm.exec(request.headers.get('authorization') ?? '') ?? [];
  if (body !== unhashedBody && body !== hash('sha256', bytes, 'base64url')) throw wrongSignature();
  return object;
}

/** Answered with a WWW-Authenticate header that tells the sender why, as in RFC 6750, section 3. */
export class RejectedSignature extends AppError {
  readonly challenge: string;

  constructor(fault: 'wrong_secret' | 'clocks_differ', message: string) {
    super('UNAUTHENTICATED', message);
    this.challenge = `${scheme} error="${fault}"`;
  }
}

const wrongSignature = () =>
  new RejectedSignature('wrong_secret', 'The call is not signed with the secret of this server');

/**
 * Why a server answered 401, for the log. `challenge` is its WWW-Authenticate header, in which
 * servers before the signatures do not name them.
 */
export function explainRejection(
  { challenge, message }: { challenge: string | null | undefined; message: string },
  { server, sender }: { server: string; sender: string },
): string {
  if (challenge?.includes('clocks_differ'))
    return `the ${server} rejects the calls of this ${sender}. ${message}`;
  if (challenge?.includes('wrong_secret'))
    return `the ${server} rejects the secret of this ${sender}: start both with the same VAULT_SECRET`;
  return `the ${server} is older than this ${sender} and does not know signed calls: start both in the same version`;
}

function signatureOf(
  { method, path, time, body }: SignedRequest & { time: string; body: string },
  { secret, audience }: VaultAccess,
): Buffer {
  const { pathname, search } = new URL(path, 'http://any');
  return createHmac('sha256', secret)
    .update([audience, method, pathname + search, time, body].join('\n'))
    .digest();
}
