import { setTimeout as wait } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import type { Log } from '../log.ts';
import type { Mail, Mailer } from './mail.ts';

type SmtpParts = { url: string; from: string; log: Log; retryAfterMs?: readonly number[] };

const waitingMax = 1_000;
const lastingMsMax = 60_000;
const closingMsMax = 5_000;
const retries = [5_000, 30_000, 120_000];

/**
 * Hands mail to a server: over TLS where it offers that, a few at a time, and again after a fault
 * that may pass.
 */
export function createSmtpMailer({ url, from, log, retryAfterMs = retries }: SmtpParts): Mailer {
  // What the address says after its question mark goes before these.
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    requireTLS: needsTls(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();
  const onTheWay = new Set<Promise<void>>();

  async function deliver({ to, ...mail }: Mail): Promise<void> {
    const letter = {
      from,
      to: { name: '', address: to },
      ...mail,
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    for (let tries = 0; ; tries += 1) {
      try {
        const { messageId } = await transport.sendMail({
          ...letter,
          signal: AbortSignal.timeout(lastingMsMax),
        });
        log.info({ part: 'mail', subject: mail.subject, messageId }, 'a mail was handed over');
        return;
      } catch (error) {
        const retryMs = isFinal(error) ? undefined : retryAfterMs[tries];
        // The server's own words may repeat the address.
        const about = { part: 'mail', subject: mail.subject, ...codesOf(error) };
        if (retryMs === undefined)
          return log.error(about, 'a mail could not be handed over, and is given up');
        log.warn({ ...about, retryMs }, 'a mail could not be handed over, and is tried again');
        const goesOn = await wait(retryMs, true, { signal: closing.signal, ref: false }).catch(
          () => false,
        );
        if (!goesOn)
          return log.error(about, 'a mail was still waiting at the end, and is given up');
      }
    }
  }

  return {
    kind: 'smtp',
    async send(mail) {
      if (onTheWay.size >= waitingMax)
        return log.error(
          { part: 'mail', subject: mail.subject },
          'too many mails are waiting, and this one is given up',
        );
      const delivery = deliver(mail).finally(() => onTheWay.delete(delivery));
      onTheWay.add(delivery);
    },
    async close() {
      closing.abort();
      const patience = new AbortController();
      await Promise.race([
        Promise.all(onTheWay),
        wait(closingMsMax, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
      transport.close({ force: true });
    },
  };
}

// A password never goes over a network in clear because somebody in between left STARTTLS out.
function needsTls(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const isFinal = (error: unknown) => Number(codesOf(error)['responseCode']) >= 500;

function codesOf(error: unknown): Record<string, unknown> {
  const {
    code,
    responseCode,
    command,
  }: { code?: unknown; responseCode?: unknown; command?: unknown } = Object(error);
  return { code, responseCode, command };
}
