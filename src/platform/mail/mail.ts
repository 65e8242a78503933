import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

export type Mail = { to: string; subject: string; text: string; html?: string };

export type Mailer = {
  /** How mail goes out: to a server, in development without one to the log, or not at all. */
  kind: 'smtp' | 'log' | 'none';
  /**
   * Takes a mail over. It goes out afterwards, so that the time of an answer tells nobody whether
   * there was one to send.
   */
  send(mail: Mail): Promise<void>;
  /**
   * Waits a little for what is on its way; what still waits for another try is lost, and the log
   * says so.
   */
  close(): Promise<void>;
};

type MailParts = { env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'NODE_ENV'>; log: Log };

export async function createMailer({
  env: { SMTP_URL, MAIL_FROM, NODE_ENV },
  log,
}: MailParts): Promise<Mailer> {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined) {
    const { createSmtpMailer } = await import('./smtp.ts');
    return createSmtpMailer({ url: SMTP_URL, from: MAIL_FROM, log });
  }
  return NODE_ENV === 'development' ? loggingMailer(log) : noMailer;
}

// The only place where a link with a secret comes into the log: somebody at their own machine reads
// it there.
const loggingMailer = (log: Log): Mailer => ({
  kind: 'log',
  send: async ({ to, subject, text }) =>
    log.info(
      { part: 'mail' },
      `a mail to ${to}, which nobody sends in development:\n\n${subject}\n\n${text}`,
    ),
  close: async () => undefined,
});

const noMailer: Mailer = {
  kind: 'none',
  send: async () => requireMail(noMailer),
  close: async () => undefined,
};

/** Refuses what can only be done by mail where no mail goes out. */
export function requireMail({ kind }: Pick<Mailer, 'kind'>): void {
  if (kind === 'none')
    throw new AppError('FEATURE_DISABLED', 'This Atrium sends no mail; ask your administrator');
}
