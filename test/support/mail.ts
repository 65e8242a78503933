import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedEmail = Email & { secure: boolean };

type MailServerOptions = {
  /** The error reply to the n-th email, counted from 0. */
  refuse?: (n: number) => { code: number; text: string } | undefined;
  /** Whether it supports TLS. */
  tls?: boolean;
};

/** A real mail server in this process that records the received emails. */
export async function receiveMail({
  refuse = () => undefined,
  tls = true,
}: MailServerOptions = {}) {
  const mails: ReceivedEmail[] = [];
  const waiting = new Set<() => void>();
  const users: string[] = [];
  let tries = 0;
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    disabledCommands: tls ? [] : ['STARTTLS'],
    // Passwords in clear text are accepted, so that a test can detect them.
    allowInsecureAuth: true,
    onAuth({ username = '' }, _session, done) {
      users.push(username);
      done(null, { user: username });
    },
    onData(stream, { secure }, done) {
      const refusal = refuse(tries);
      tries += 1;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (refusal)
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        mails.push({ ...(await PostalMime.parse(Buffer.concat(chunks))), secure });
        done();
        for (const wake of waiting) wake();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.server.address());

  const isTo = (mail: ReceivedEmail, to: string) =>
    mail.to?.some(({ address }) => address === to) === true;
  async function waitFor(matches: (mail: ReceivedEmail) => boolean): Promise<ReceivedEmail> {
    for (;;) {
      const index = mails.findIndex(matches);
      const [mail] = index < 0 ? [] : mails.splice(index, 1);
      if (mail) return mail;
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }

  return {
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
      MAIL_FROM: 'Atrium <atrium@mail.example>',
    },
    port: Number(port),
    mails,
    /** The users that have authenticated. */
    users,
    tries: () => tries,
    /** Waits for the oldest email to this address and removes it from the list. */
    next: (to: string) => waitFor((mail) => isTo(mail, to)),
    /** The same for an email with this subject. */
    nextAbout: (to: string, subject: string) =>
      waitFor((mail) => isTo(mail, to) && mail.subject === subject),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The link of an email, which is on its own line. */
export function linkIn({ text = '' }: ReceivedEmail): URL {
  const [link] = /^https?:\/\/\S+$/m.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  return new URL(link);
}
