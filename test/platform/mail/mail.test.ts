import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { readEnv } from '../../../src/platform/env.ts';
import { createLog } from '../../../src/platform/log.ts';
import { formatEmail } from '../../../src/platform/mail/format-email.ts';
import { createMailer } from '../../../src/platform/mail/mail.ts';
import { createSmtpMailer } from '../../../src/platform/mail/smtp.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';

const link = 'https://atrium.example/auth/reset?token=a-secret&x=1';
const mail = formatEmail({
  language: 'EN',
  to: 'ada@mail.example',
  subject: 'Your <new>\npassword',
  paragraphs: ['Ada & co. <asked>'],
  action: { label: 'Choose it', url: link },
  notes: ['For an hour.'],
});
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function recordedLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, log: createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, sink) };
}

async function mailerWithReceiver(...options: Parameters<typeof receiveMail>) {
  const receiver = await receiveMail(...options);
  const { lines, log } = recordedLog();
  const { SMTP_URL: url, MAIL_FROM: from } = receiver.settings;
  const mailer = createSmtpMailer({ url, from, log, retryAfterMs: [1, 1] });
  closers.push(receiver.close, mailer.close);
  return { receiver, mailer, lines };
}

describe('email by SMTP', () => {
  it('an email arrives unchanged, over TLS if the server offers it, with the same content as text and HTML', async () => {
    const { receiver, mailer } = await mailerWithReceiver();
    await mailer.send(mail);
    const received = await receiver.next('ada@mail.example');
    expect(received).toMatchObject({
      secure: true,
      subject: 'Your <new> password',
      from: { name: 'Atrium', address: 'atrium@mail.example' },
    });
    expect(received.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(received.text?.trimEnd()).toBe(
      `Ada & co. <asked>\n\nChoose it:\n${link}\n\nFor an hour.`,
    );
    expect(received.html).toContain('<p>Ada &amp; co. &lt;asked&gt;</p>');
    expect(received.html).toContain(`<a href="${link.replace('&', '&amp;')}">`);
    expect(received.html).not.toMatch(/<img|<script|src=/);
    expect(linkIn(received).href).toBe(link);
  });

  it('an email goes to exactly one recipient, whatever the address contains', async () => {
    const { receiver, mailer } = await mailerWithReceiver();
    await mailer.send({ ...mail, to: 'olga=work@xn--e1aybc.xn--p1ai' });
    expect((await receiver.next('olga=work@xn--e1aybc.xn--p1ai')).to).toHaveLength(1);
  });

  it('an email is retried after a temporary failure, and its link and recipient are never logged', async () => {
    const { receiver, mailer, lines } = await mailerWithReceiver({
      refuse: (n) => (n < 2 ? { code: 451, text: 'later, ada@mail.example' } : undefined),
    });
    await mailer.send(mail);
    await receiver.next('ada@mail.example');
    await mailer.close();
    expect(receiver.tries()).toBe(3);
    expect(lines.filter((line) => line.includes('"responseCode":451'))).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/a-secret|ada@mail/);
  });

  it('an email is dropped after the last retry, and at once after a permanent failure', async () => {
    for (const { code, tries } of [
      { code: 451, tries: 3 },
      { code: 550, tries: 1 },
    ]) {
      const { receiver, mailer, lines } = await mailerWithReceiver({
        refuse: () => ({ code, text: 'no' }),
      });
      await mailer.send(mail);
      await expect.poll(() => lines.join('')).toContain('was dropped');
      expect(receiver.tries()).toBe(tries);
      expect(lines.join('')).not.toMatch(/a-secret|ada@mail/);
    }
  });

  it('neither sending nor closing waits for a server that cannot be reached', async () => {
    const { log, lines } = recordedLog();
    const mailer = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'a@mail.example', log });
    await mailer.send(mail);
    await expect.poll(() => lines.join('')).toContain('will be retried');
    await mailer.close();
    expect(lines.join('')).toContain('still waiting for a retry at shutdown');
  });
});

describe('the password of the mail server', () => {
  const sendWithPassword = async (host: string, options: Parameters<typeof receiveMail>[0]) => {
    const receiver = await receiveMail(options);
    const { log, lines } = recordedLog();
    const url = `smtp://ada:a-password@${host}:${receiver.port}?tls.rejectUnauthorized=false`;
    const mailer = createSmtpMailer({ url, from: 'a@mail.example', log, retryAfterMs: [] });
    closers.push(receiver.close, mailer.close);
    await mailer.send(mail);
    await expect.poll(() => lines.join('')).toMatch(/sent an email|could not be sent/);
    expect(lines.join('')).not.toContain('a-password');
    return { users: receiver.users, accepted: receiver.mails.length };
  };

  it('the password is sent over TLS, and on the local machine also without TLS', async () => {
    expect(await sendWithPassword('[::ffff:127.0.0.1]', {})).toEqual({
      users: ['ada'],
      accepted: 1,
    });
    expect(await sendWithPassword('127.0.0.1', { tls: false })).toEqual({
      users: ['ada'],
      accepted: 1,
    });
  });

  it('the password is never sent over a network in clear text, even if an attacker removed TLS', async () => {
    expect(await sendWithPassword('[::ffff:127.0.0.1]', { tls: false })).toEqual({
      users: [],
      accepted: 0,
    });
  });
});

describe('email without SMTP_URL', () => {
  it('an email and its link are logged in development', async () => {
    const { log, lines } = recordedLog();
    const mailer = await createMailer({ env: readEnv({ NODE_ENV: 'development' }), log });
    await mailer.send(mail);
    expect(mailer.kind).toBe('log');
    expect(lines.join('')).toContain(link);
  });

  it.each(['test', 'production'])(
    'an email is rejected with a message under NODE_ENV=%s, and not logged',
    async (NODE_ENV) => {
      const { log, lines } = recordedLog();
      const mailer = await createMailer({ env: readEnv({ NODE_ENV }), log });
      expect(mailer.kind).toBe('none');
      await expect(mailer.send(mail)).rejects.toMatchObject({
        code: 'FEATURE_DISABLED',
        message: 'This Atrium sends no mail; ask your administrator',
      });
      expect(lines).toEqual([]);
    },
  );
});

describe('the email settings', () => {
  it.each([
    [{ SMTP_URL: 'http://mail.example' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example' }, /MAIL_FROM: must be set where SMTP_URL is/],
    [{ MAIL_FROM: 'Atrium' }, /MAIL_FROM/],
    [{ MAIL_FROM: 'Atrium <a@b.example>\r\nBcc: x@y.example' }, /MAIL_FROM/],
  ])('the settings %j are rejected with the name of the setting', (settings, fault) => {
    expect(() => readEnv(settings)).toThrow(fault);
  });
});
