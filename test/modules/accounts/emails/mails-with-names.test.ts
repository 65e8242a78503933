import { describe, expect, it } from 'vitest';
import { roleChangedNotice } from '../../../../src/modules/accounts/emails/notify-owner.ts';
import { invitationEmail } from '../../../../src/modules/invitations/invitation-email.ts';
import { addedMembershipEmail } from '../../../../src/modules/memberships/added-membership-email.ts';

const site = 'Your prize: https://www.evil.example/login\r\nBcc: everybody@evil.example';
const to = {
  email: 'ada@mail.example',
  origin: 'https://atrium.example',
  secret: 's',
  language: 'EN',
} as const;

const mails: [string, string, (name: string) => { subject: string; text: string }][] = [
  [
    'a changed role',
    'Your role was changed',
    (name) => roleText(roleChangedNotice('ADMIN', name)('EN')),
  ],
  [
    'an added account',
    'You were added to an organization on Atrium',
    (name) => addedMembershipEmail({ ...to, organizationName: name }),
  ],
  [
    'an invitation',
    'You are invited to a workspace on Atrium',
    (name) =>
      invitationEmail({
        ...to,
        link: to.origin,
        organizationName: name,
        invitedBy: name,
        expiresAt: new Date(0).toISOString(),
      }),
  ],
];
const roleText = ({ subject, sentence }: { subject: string; sentence: string }) => ({
  subject,
  text: sentence,
});

describe.each(mails)('the mail about %s', (_, subject, write) => {
  it('The subject is the same for every name', () => {
    expect(write(site).subject).toBe(subject);
  });

  it('A name is quoted on one line and without the address of a site', () => {
    const { text } = write(site);
    expect(text).toContain(
      '“Your prize: https www. evil. example/login Bcc: everybody@evil. example”',
    );
    expect(text).not.toMatch(/evil\.example|:\/\/www/);
  });

  it('At most 80 characters of a name are shown', () => {
    const names = [...write('🎁'.repeat(500)).text.matchAll(/“(.*?)”/gu)].map(
      ([, name = '']) => [...name].length,
    );
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names)).toEqual(new Set([80]));
  });
});
