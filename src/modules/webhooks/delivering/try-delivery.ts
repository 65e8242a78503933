import type { Clock } from '../../../platform/clock.ts';
import {
  type PublicRequestOptions,
  postToPublicAddress,
} from '../../../platform/public-address/post-to-public-address.ts';
import { PublicAddressError } from '../../../platform/public-address/public-address-error.ts';
import { retryAfterMsOf } from '../../../platform/retry-after.ts';
import { version } from '../../../platform/version.ts';
import { messageOf } from '../webhook-message.ts';
import { signaturesOf, type WebhookCipher } from '../webhook-secret.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

export type TryOptions = { cipher: WebhookCipher; request: PublicRequestOptions; clock: Clock };

/** What a try has shown. Without an error the receiver has the event. */
export type TryOutcome = {
  status: number | null;
  error: string | null;
  /** The beginning of the text that the receiver answered; null if it did not answer. */
  answer: string | null;
  /** What the receiver asked for with `Retry-After`. */
  retryAfterMs: number | undefined;
};

const tryMs = 15_000;
/** People read the beginning of the answer to find out what is wrong. */
const answerBytesMax = 1_024;

/**
 * Posts a delivery to its receiver. Throws only for reasons within Atrium, and the reason of `signal`
 * if that is aborted.
 */
export async function tryDelivery(
  delivery: ClaimedDelivery,
  { cipher, request, clock }: TryOptions,
  signal: AbortSignal,
): Promise<TryOutcome> {
  const { encryptedSecret, encryptedPreviousSecret, eventId, url } = delivery;
  const encrypted = [
    encryptedSecret,
    ...(encryptedPreviousSecret ? [encryptedPreviousSecret] : []),
  ];
  const secrets = await Promise.all(encrypted.map((secret) => cipher.decrypt(secret)));
  const { contentType, body } = messageOf(delivery);
  // Receivers compare the time with their own, so it is not that of the application in tests.
  const timestamp = Math.floor(Date.now() / 1_000);
  try {
    const response = await postToPublicAddress(
      url,
      {
        headers: {
          'content-type': contentType,
          'user-agent': `Atrium/${version}`,
          'webhook-id': eventId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signaturesOf({ id: eventId, timestamp, body }, secrets, cipher),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(tryMs)]),
        maxResponseBytes: answerBytesMax,
      },
      request,
    );
    return {
      status: response.status,
      error: errorOf(response.status),
      answer: answerText(response.body),
      retryAfterMs: retryAfterMsOf(response.headers['retry-after'], clock()),
    };
  } catch (error) {
    if (!(error instanceof PublicAddressError)) throw error;
    return { status: null, error: error.message, answer: null, retryAfterMs: undefined };
  }
}

/** The last character may be cut in two. Postgres stores no NUL. */
const answerText = (body: Buffer): string =>
  body
    .toString()
    .replace(/\ufffd$/, '')
    .replaceAll('\0', '');

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, and redirects are not followed.`;
  return `The receiver answered ${status}.`;
}
