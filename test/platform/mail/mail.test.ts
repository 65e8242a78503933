import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { readEnv } from '../../../src/platform/env.ts';
import { createLog } from '../../../src/platform/log.ts';
import { letter } from '../../../src/platform/mail/letter.ts';
import { createMailer } from '../../../src/platform/mail/mail.ts';
import { createSmtpMailer } from '../../../src/platform/mail/smtp.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';

const link = 'https://atrium.example/auth/reset?token=a-secret&x=1';
const mail = letter({
  to: 'ada@mail.example',
  subject: 'Your <new>\npassword',
  paragraphs: ['Ada & co. <asked>'],
  action: { label: 'Choose it', url: link },
  notes: ['For an hour.'],
});
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function watchedLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, log: createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, sink) };
}

async function mailingTo(...options: Parameters<typeof receiveMail>) {
  const receiver = await receiveMail(...options);
  const { lines, log } = watchedLog();
  const { SMTP_URL: url, MAIL_FROM: from } = receiver.settings;
  const mailer = createSmtpMailer({ url, from, log, retryAfterMs: [1, 1] });
  ends.push(receiver.close, mailer.close);
  return { receiver, mailer, lines };
}

describe('a mail by SMTP', () => {
  it('arrives whole, over TLS where the server offers it, and says the same as text and as HTML', async () => {
    const { receiver, mailer } = await mailingTo();
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

  it('goes to one receiver, whatever the address looks like', async () => {
    const { receiver, mailer } = await mailingTo();
    await mailer.send({ ...mail, to: 'olga=work@xn--e1aybc.xn--p1ai' });
    expect((await receiver.next('olga=work@xn--e1aybc.xn--p1ai')).to).toHaveLength(1);
  });

  it('is tried again after a fault that passes, and its secret is in no log', async () => {
    const { receiver, mailer, lines } = await mailingTo({
      refuse: (n) => (n < 2 ? { code: 451, text: 'later, ada@mail.example' } : undefined),
    });
    await mailer.send(mail);
    await receiver.next('ada@mail.example');
    await mailer.close();
    expect(receiver.tries()).toBe(3);
    expect(lines.filter((line) => line.includes('"responseCode":451'))).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/a-secret|ada@mail/);
  });

  it('is given up after the last try, and at once after a refusal that lasts', async () => {
    for (const { code, tries } of [
      { code: 451, tries: 3 },
      { code: 550, tries: 1 },
    ]) {
      const { receiver, mailer, lines } = await mailingTo({ refuse: () => ({ code, text: 'no' }) });
      await mailer.send(mail);
      await expect.poll(() => lines.join('')).toContain('is given up');
      expect(receiver.tries()).toBe(tries);
      expect(lines.join('')).not.toMatch(/a-secret|ada@mail/);
    }
  });

  it('keeps nobody waiting for a server that is not there, nor the end', async () => {
    const { log, lines } = watchedLog();
    const mailer = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'a@mail.example', log });
    await mailer.send(mail);
    await expect.poll(() => lines.join('')).toContain('is tried again');
    await mailer.close();
    expect(lines.join('')).toContain('still waiting at the end');
  });
});

describe('the password of a mail server', () => {
  const sendingTo = async (host: string, options: Parameters<typeof receiveMail>[0]) => {
    const receiver = await receiveMail(options);
    const { log, lines } = watchedLog();
    const url = `smtp://ada:a-password@${host}:${receiver.port}?tls.rejectUnauthorized=false`;
    const mailer = createSmtpMailer({ url, from: 'a@mail.example', log, retryAfterMs: [] });
    ends.push(receiver.close, mailer.close);
    await mailer.send(mail);
    await expect.poll(() => lines.join('')).toMatch(/handed over/);
    expect(lines.join('')).not.toContain('a-password');
    return { users: receiver.users, taken: receiver.mails.length };
  };

  it('is shown over TLS, and on this machine without', async () => {
    expect(await sendingTo('[::ffff:127.0.0.1]', {})).toEqual({ users: ['ada'], taken: 1 });
    expect(await sendingTo('127.0.0.1', { tls: false })).toEqual({ users: ['ada'], taken: 1 });
  });

  it('never goes over a network in clear, where somebody may have left TLS out', async () => {
    expect(await sendingTo('[::ffff:127.0.0.1]', { tls: false })).toEqual({ users: [], taken: 0 });
  });
});

describe('without a server', () => {
  it('a mail with its link stands in the log in development', async () => {
    const { log, lines } = watchedLog();
    const mailer = await createMailer({ env: readEnv({ NODE_ENV: 'development' }), log });
    await mailer.send(mail);
    expect(mailer.kind).toBe('log');
    expect(lines.join('')).toContain(link);
  });

  it.each(['test', 'production'])(
    'a mail is refused in words under %s, and logged nowhere',
    async (NODE_ENV) => {
      const { log, lines } = watchedLog();
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

describe('the settings of mail', () => {
  it.each([
    [{ SMTP_URL: 'http://mail.example' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example' }, /MAIL_FROM: must be set where SMTP_URL is/],
    [{ MAIL_FROM: 'Atrium' }, /MAIL_FROM/],
    [{ MAIL_FROM: 'Atrium <a@b.example>\r\nBcc: x@y.example' }, /MAIL_FROM/],
  ])('%j is refused by name', (given, fault) => {
    expect(() => readEnv(given)).toThrow(fault);
  });
});
