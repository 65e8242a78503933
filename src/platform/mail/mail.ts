import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Mailer } from './mailer.ts';

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
function loggingMailer(log: Log): Mailer {
  const send: Mailer['send'] = async ({ to, subject, text }) =>
    log.info(
      { part: 'mail' },
      `an email to ${to}, which is not sent in development:\n\n${subject}\n\n${text}`,
    );
  return { kind: 'log', send, deliver: send, close: async () => undefined };
}

const noMailer: Mailer = {
  kind: 'none',
  send: async () => requireMail(noMailer),
  deliver: async () => requireMail(noMailer),
  close: async () => undefined,
};

/** Throws if no email can be sent. */
export function requireMail({ kind }: Pick<Mailer, 'kind'>): void {
  if (kind === 'none')
    throw new AppError('FEATURE_DISABLED', 'This Atrium sends no mail; ask your administrator');
}
