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
   * Tries once to send an email, for at most a minute. Resolves when the server has taken it, and
   * throws if it has not; the error has no address.
   */
  deliver(mail: EmailMessage): Promise<void>;
  /**
   * Waits up to five seconds for emails that are being sent. Emails that wait for a retry are
   * dropped and logged.
   */
  close(): Promise<void>;
};
