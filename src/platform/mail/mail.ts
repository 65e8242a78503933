import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

export type EmailMessage = { to: string; subject: string; text: string; html?: string };

export type Mailer = {
  /** How email is sent: by SMTP, to the log (in development without SMTP_URL), or not at all. */
  kind: 'smtp' | 'log' | 'none';
  /**
   * Accepts an email and sends it in the background, so that the response time does not reveal
   * whether an email was sent.
   */
  send(mail: EmailMessage): Promise<void>;
  /**
   * Waits up to five seconds for emails that are being sent. Emails that wait for a retry are
   * dropped and logged.
   */
  close(): Promise<void>;
};

type MailerDependencies = { env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'NODE_ENV'>; log: Log };

export async function createMailer({
  env: { SMTP_URL, MAIL_FROM, NODE_ENV },
  log,
}: MailerDependencies): Promise<Mailer> {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined) {
    const { createSmtpMailer } = await import('./smtp.ts');
    return createSmtpMailer({ url: SMTP_URL, from: MAIL_FROM, log });
  }
  return NODE_ENV === 'development' ? loggingMailer(log) : noMailer;
}

// The only place where a link with a secret is logged: a developer reads it on their own machine.
const loggingMailer = (log: Log): Mailer => ({
  kind: 'log',
  send: async ({ to, subject, text }) =>
    log.info(
      { part: 'mail' },
      `an email to ${to}, which is not sent in development:\n\n${subject}\n\n${text}`,
    ),
  close: async () => undefined,
});

const noMailer: Mailer = {
  kind: 'none',
  send: async () => requireMail(noMailer),
  close: async () => undefined,
};

/** Throws if no email can be sent. */
export function requireMail({ kind }: Pick<Mailer, 'kind'>): void {
  if (kind === 'none')
    throw new AppError('FEATURE_DISABLED', 'This Atrium sends no mail; ask your administrator');
}
