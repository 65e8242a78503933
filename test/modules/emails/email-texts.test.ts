import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  accountDeletedEmail,
  accountExistsEmail,
  passwordChangedEmail,
  resetEmail,
  securityNoticeEmail,
  verificationEmail,
} from '../../../src/modules/accounts/emails/emails.ts';
import {
  keyCreatedNotice,
  newDeviceNotice,
  providerLinkedNotice,
  roleChangedNotice,
  type SecurityNotice,
  secondFactorNotice,
} from '../../../src/modules/accounts/emails/notify-owner.ts';
import { budgetEmail } from '../../../src/modules/budgets/budget-email.ts';
import type { ReachedBudget } from '../../../src/modules/budgets/reached-budget.ts';
import { emailTexts as german } from '../../../src/modules/emails/texts/de.ts';
import { emailTexts as english } from '../../../src/modules/emails/texts/en.ts';
import { invitationEmail } from '../../../src/modules/invitations/invitation-email.ts';
import { addedMembershipEmail } from '../../../src/modules/memberships/added-membership-email.ts';
import { linkInvitationEmail } from '../../../src/modules/sponsorship/invitations/link-invitation-email.ts';
import { webhookNoticeEmail } from '../../../src/modules/webhooks/delivering/webhook-notice-email.ts';
import type { Language } from '../../../src/platform/database/generated/client.ts';
import type { EmailMessage } from '../../../src/platform/mail/mailer.ts';
import { argumentsOf } from '../../support/message-arguments.ts';

const to = 'ada@mail.example';
const origin = 'https://atrium.example';
const link = { to, origin, secret: 'secret' };
const invitation = {
  ...{ email: to, link: origin, organizationName: 'Ärzte GmbH' },
  expiresAt: '2026-11-02T10:00:00.000Z',
};
const budget: ReachedBudget = {
  id: 'budget',
  organizationId: 'organization',
  organizationName: 'Ärzte GmbH',
  scope: 'TEAM',
  metric: 'COST',
  period: 'MONTH',
  mode: 'BLOCK',
  periodStart: '2026-11-01T00:00:00.000Z',
  limit: 1234.5,
  used: 1234.5,
  percent: 100,
};
const linkInvitation = {
  ...{ email: to, url: origin, sponsorName: 'Ärzte GmbH', durationMonths: 3 },
  ...{ expiresAt: '2026-11-02T10:00:00.000Z', isReminder: false },
};
const webhook = { organizationName: 'Ärzte GmbH', host: 'hooks.example', reason: null };
const security =
  (notice: SecurityNotice) =>
  (language: Language): EmailMessage =>
    securityNoticeEmail({ to, language, origin, ...notice(language) });

/** Every kind of mail that Atrium sends. */
const mails: Readonly<Record<string, (language: Language) => EmailMessage>> = {
  verificationEmail: (language) => verificationEmail({ ...link, language }),
  resetEmail: (language) => resetEmail({ ...link, language }),
  accountExistsEmail: (language) => accountExistsEmail({ to, origin, language }),
  passwordChangedEmail: (language) => passwordChangedEmail({ to, origin, language }),
  accountDeletedEmail: (language) => accountDeletedEmail({ to, origin, language }),
  'securityNoticeEmail: key created': security(keyCreatedNotice('key-1234')),
  'securityNoticeEmail: administrator': security(roleChangedNotice('ADMIN', 'Ärzte GmbH')),
  'securityNoticeEmail: member': security(roleChangedNotice('MEMBER', 'Ärzte GmbH')),
  'securityNoticeEmail: provider linked': security(providerLinkedNotice),
  'securityNoticeEmail: unknown device': security(newDeviceNotice(null)),
  'securityNoticeEmail: new device': security(newDeviceNotice('Firefox/140.0 (Windows NT 10.0)')),
  'securityNoticeEmail: app added': security(secondFactorNotice('authenticatorAppAdded')),
  'securityNoticeEmail: app removed': security(secondFactorNotice('authenticatorAppRemoved')),
  'securityNoticeEmail: passkey added': security(secondFactorNotice('passkeyAdded')),
  'securityNoticeEmail: passkey removed': security(secondFactorNotice('passkeyRemoved')),
  'securityNoticeEmail: codes renewed': security(secondFactorNotice('recoveryCodesRenewed')),
  'invitationEmail: by a person': (language) =>
    invitationEmail({ ...invitation, language, invitedBy: 'Grace' }),
  'invitationEmail: by a key': (language) =>
    invitationEmail({ ...invitation, language, invitedBy: null }),
  addedMembershipEmail: (language) =>
    addedMembershipEmail({ ...link, email: to, language, organizationName: 'Ärzte GmbH' }),
  'budgetEmail: used up': (language) => budgetEmail({ to, language, budget }),
  'budgetEmail: without a period': (language) =>
    budgetEmail({ to, language, budget: { ...budget, period: 'TOTAL' } }),
  'budgetEmail: warned': (language) =>
    budgetEmail({ to, language, budget: { ...budget, percent: 80 } }),
  'budgetEmail: only warns': (language) =>
    budgetEmail({ to, language, budget: { ...budget, mode: 'WARN', period: 'DAY' } }),
  'webhookNoticeEmail: active': (language) =>
    webhookNoticeEmail({ to, language, notice: { ...webhook, state: 'ACTIVE' } }),
  'webhookNoticeEmail: failing': (language) =>
    webhookNoticeEmail({ to, language, notice: { ...webhook, state: 'FAILING' } }),
  'webhookNoticeEmail: gone': (language) =>
    webhookNoticeEmail({ to, language, notice: { ...webhook, state: 'DISABLED', reason: 'GONE' } }),
  'webhookNoticeEmail: unreachable': (language) =>
    webhookNoticeEmail({
      ...{ to, language },
      notice: { ...webhook, state: 'DISABLED', reason: 'UNREACHABLE' },
    }),
  linkInvitationEmail: (language) => linkInvitationEmail(linkInvitation, language),
  'linkInvitationEmail: reminder': (language) =>
    linkInvitationEmail({ ...linkInvitation, durationMonths: 1, isReminder: true }, language),
};
const kinds = Object.keys(mails);

const sources = globSync('src/modules/**/*.ts').map((file) => readFileSync(file, 'utf8'));

/** Words that every English sentence of some length has one of, and that German does not have. */
const englishWords =
  /\b(?:the|and|of|you|your|with|from|this|that|is|are|it|for|to|if|has|have|will|not|by|or)\b/i;

describe.each(kinds)('the mail %s', (kind) => {
  const write = (language: Language): EmailMessage => {
    const mail = mails[kind]?.(language);
    if (!mail) throw new Error(`There is no mail ${kind}`);
    return mail;
  };

  it('In German it has no English word, and another subject and text than in English', () => {
    const [en, de] = [write('EN'), write('DE')];
    const ownWords = de.text.replaceAll(/https?:\/\/\S+/g, '');
    expect(`${de.subject}\n${ownWords}`).not.toMatch(englishWords);
    expect(en.text.replaceAll(/https?:\/\/\S+/g, '')).toMatch(englishWords);
    expect(de.subject).not.toBe(en.subject);
    expect(de.text).not.toBe(en.text);
  });

  it('It has a subject, a text without gaps, and HTML in its language with the same content', () => {
    for (const language of ['EN', 'DE'] as const) {
      const { subject, text, html = '' } = write(language);
      expect(subject).toMatch(/\p{L}{3}/u);
      expect(`${subject}${text}`).not.toMatch(/undefined|null|NaN|Invalid Date|[{}]/);
      expect(html).toContain(`<html lang="${language.toLowerCase()}" dir="ltr">`);
      const shown = html
        .replace(/<head>.*<\/head>/s, '')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ');
      for (const paragraph of text.trim().split('\n\n'))
        expect(shown).toContain(paragraph.split(':\nhttp')[0]);
    }
  });
});

describe('the texts of mails', () => {
  it('The table of kinds has every function that writes a mail', () => {
    const writers = sources
      .filter((text) => text.includes('formatEmail('))
      .flatMap((text) =>
        [...text.matchAll(/export (?:const|function) (\w+Email)\b/g)].map(([, name]) => name),
      );
    expect(writers.length).toBeGreaterThan(8);
    expect([...new Set(kinds.map((kind) => kind.split(':')[0]))].toSorted()).toEqual(
      writers.toSorted(),
    );
  });

  it('No module sends a mail whose content it has not from such a function', () => {
    const senders = sources.filter((text) => /\bmail\.send\(/.test(text));
    expect(senders.length).toBeGreaterThan(8);
    expect(senders.filter((text) => !/import .*Email\b.*from/.test(text))).toEqual([]);
    expect(
      sources.filter((text) => /\bformatEmail\(/.test(text) && !/emailText\(/.test(text)),
    ).toEqual([]);
  });

  it('Every text is used', () => {
    const code = sources.filter((text) => !text.includes('export const emailTexts')).join('\n');
    expect(Object.keys(english).filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  });

  it('Every text is valid, has the same arguments in both languages, and differs', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
    const originals = new Map(Object.entries(english));
    for (const [key, text] of Object.entries(german)) {
      const original = originals.get(key) ?? '';
      expect({ key, arguments: argumentsOf(text) }).toEqual({
        key,
        arguments: argumentsOf(original),
      });
      expect({ key, text }).not.toEqual({ key, text: original });
    }
  });

  it('Dates and numbers have the form of the language', () => {
    expect(mails['invitationEmail: by a key']?.('EN').text).toContain('until 2 November 2026.');
    expect(mails['invitationEmail: by a key']?.('DE').text).toContain('bis zum 2. November 2026.');
    expect(mails['budgetEmail: used up']?.('EN').text).toContain('allows 1,234.5.');
    expect(mails['budgetEmail: used up']?.('DE').text).toContain('erlaubt 1.234,5.');
    expect(mails['budgetEmail: used up']?.('DE').text).toMatch(/bis 1\. Dezember 2026.*00:00 UTC/);
  });

  it('German texts use the polite form and German quotation marks', () => {
    const wrong = Object.entries(german).filter(([, text]) =>
      /\b(?:du|dein|deine|deinen|dir|dich)\b|“[^“”„]*”|"/i.test(text),
    );
    expect(wrong).toEqual([]);
    expect(mails['addedMembershipEmail']?.('DE').text).toContain('von „Ärzte GmbH“ hat');
  });
});
