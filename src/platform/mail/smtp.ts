import { setTimeout as wait } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import type { Log } from '../log.ts';
import type { EmailMessage, Mailer } from './mailer.ts';

type SmtpMailerOptions = { url: string; from: string; log: Log; retryAfterMs?: readonly number[] };

const pendingMax = 1_000;
const sendTimeoutMs = 60_000;
const closeTimeoutMs = 5_000;
const retries = [5_000, 30_000, 120_000];

/**
 * Sends email by SMTP: with TLS if the server offers it, over two connections, and with retries
 * after a temporary failure.
 */
export function createSmtpMailer({
  url,
  from,
  log,
  retryAfterMs = retries,
}: SmtpMailerOptions): Mailer {
  // Options in the query string of SMTP_URL take precedence over these.
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
  const pending = new Set<Promise<void>>();

  async function sendOnce({ to, ...mail }: EmailMessage): Promise<void> {
    const { messageId } = await transport.sendMail({
      from,
      to: { name: '', address: to },
      ...mail,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    log.info({ part: 'mail', subject: mail.subject, messageId }, 'sent an email');
  }

  async function sendWithRetries({ to, ...mail }: EmailMessage): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await sendOnce({ to, ...mail });
        return;
      } catch (error) {
        const retryMs = isFinal(error) ? undefined : retryAfterMs[tries];
        // The server's error message is not logged, because it may contain the recipient's address.
        const details = { part: 'mail', subject: mail.subject, ...codesOf(error) };
        if (retryMs === undefined)
          return log.error(details, 'an email could not be sent and was dropped');
        log.warn({ ...details, retryMs }, 'an email could not be sent and will be retried');
        const shouldRetry = await wait(retryMs, true, { signal: closing.signal, ref: false }).catch(
          () => false,
        );
        if (!shouldRetry)
          return log.error(
            details,
            'an email was still waiting for a retry at shutdown and was dropped',
          );
      }
    }
  }

  return {
    kind: 'smtp',
    async send(mail) {
      if (pending.size >= pendingMax)
        return log.error(
          { part: 'mail', subject: mail.subject },
          'too many emails are waiting, so this one was dropped',
        );
      const delivery = sendWithRetries(mail).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    async deliver(mail) {
      try {
        await sendOnce(mail);
      } catch (error) {
        throw Object.assign(new Error('the mail server did not take an email'), codesOf(error));
      }
    },
    async close() {
      closing.abort();
      const patience = new AbortController();
      await Promise.race([
        Promise.all(pending),
        wait(closeTimeoutMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
      transport.close({ force: true });
    },
  };
}

// A password is never sent in clear text, even if an attacker on the network removes STARTTLS from
// the server's offer.
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
