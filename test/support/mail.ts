import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type Received = Email & { secure: boolean };

type Answering = {
  /** What the server says instead of taking the n-th mail, counted from 0. */
  refuse?: (n: number) => { code: number; text: string } | undefined;
  /** Whether it speaks TLS. */
  tls?: boolean;
};

/** A real mail server in this process, that keeps what it takes. */
export async function receiveMail({ refuse = () => undefined, tls = true }: Answering = {}) {
  const mails: Received[] = [];
  const waiting = new Set<() => void>();
  const users: string[] = [];
  let tries = 0;
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    disabledCommands: tls ? [] : ['STARTTLS'],
    // Whoever sends a password in clear is to be caught at it.
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
        for (const look of waiting) look();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.server.address());

  const isTo = (mail: Received, to: string) =>
    mail.to?.some(({ address }) => address === to) === true;
  async function take(isWanted: (mail: Received) => boolean): Promise<Received> {
    for (;;) {
      const found = mails.findIndex(isWanted);
      const [mail] = found < 0 ? [] : mails.splice(found, 1);
      if (mail) return mail;
      await new Promise<void>((resolve) => {
        const look = () => {
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
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
    /** Who has shown a password. */
    users,
    tries: () => tries,
    /** The oldest mail to this address, which is taken out; waits for it. */
    next: (to: string) => take((mail) => isTo(mail, to)),
    /** The oldest mail to this address with this subject, whatever other mails there are. */
    nextAbout: (to: string, subject: string) =>
      take((mail) => isTo(mail, to) && mail.subject === subject),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The link that a mail is about: it has a line to itself. */
export function linkIn({ text = '' }: Received): URL {
  const [link] = /^https?:\/\/\S+$/m.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  return new URL(link);
}
