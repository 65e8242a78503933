import type { Mailer } from '../../platform/mail/mail.ts';

declare module '../../graph/context.ts' {
  interface Services {
    mail: Mailer;
  }
}
