import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../../../src/modules/accounts/sign-up/create-account.ts';
import {
  scheduleLinkInvitations,
  sendLinkInvitations,
  sweepLinkInvitations,
} from '../../../../src/modules/sponsorship/invitations/send-link-invitations.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { cookieClient, sponsoredLinkCalls } from '../../../support/cookie-client.ts';
import { databases } from '../../../support/databases.ts';
import { linkIn, receiveMail } from '../../../support/mail.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { minutes } from '../../../support/redemptions.ts';
import { signIn } from '../../../support/sign-in.ts';

const start = Date.parse('2026-05-15T10:00:00.000Z');
const dayMs = 86_400_000;
let people = 0;

const inviteMutation = `mutation Invite($input: InviteToLinkInput!) {
  inviteToLink(input: $input) { invited skipped { email reason } } }`;
const listQuery = `query List($linkId: ID!, $state: LinkInvitationState, $search: String) {
  link(linkId: $linkId) { invitations(state: $state, search: $search, orderBy: { field: EMAIL, direction: ASC }) {
    totalCount nodes { id email state language expiresAt sentAt remindedAt redeemedAt } } } }`;

describe.each(databases)('invitations to links on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let partner: TestPartner;
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let refusesMail = false;
  let now = start;
  const clock = () => new Date(now);
  const clockText = (ms: number) => new Date(ms).toISOString();
  beforeAll(async () => {
    database = await open();
    mail = await receiveMail({
      refuse: () => (refusesMail ? { code: 451, text: 'try again later' } : undefined),
    });
    app = await testApp(
      { ORGANIZATION_KEY_LIMIT: '100000', ANONYMOUS_LIMIT: '100000', ...mail.settings },
      { database, clock },
    );
    partner = await partnerIn(app);
  });
  beforeEach(async () => {
    await database.prisma.linkInvitation.deleteMany();
    await database.prisma.linkInvitationDay.deleteMany();
    mail.mails.splice(0);
    refusesMail = false;
    now = start;
  });
  afterAll(async () => {
    await app.close();
    await mail.close();
  });

  const newEmail = () => {
    people += 1;
    return `guest${people}@guests.example`;
  };
  async function newLink(campaign: Record<string, unknown> = {}, link: object = {}) {
    const { id: campaignId } = await partner.campaign(campaign);
    const { id, token } = await partner.link(campaignId, { ...link });
    return { id, campaignId, token: String(token) };
  }
  async function invite(
    link: { id: string },
    emails: readonly string[],
    more: Record<string, unknown> = {},
    key = partner.key,
  ) {
    const input = { linkId: link.id, emails, ...more };
    const { data, errors } = await app.graph(key, inviteMutation, { input });
    return { ...Object(data?.['inviteToLink']), code: errors[0]?.extensions?.code };
  }
  const send = () => sendLinkInvitations(app.contextParts);
  async function list({ id }: { id: string }, more: Record<string, unknown> = {}) {
    const { data } = await app.graph(partner.key, listQuery, { linkId: id, ...more });
    return Object(data?.['link']).invitations;
  }
  const stateOf = async (link: { id: string }) => (await list(link)).nodes[0].state;
  /** Invites an address, and returns the token in its mail. */
  async function invited(link: { id: string }, email = newEmail(), more: object = {}) {
    expect(await invite(link, [email], { ...more })).toMatchObject({ invited: 1, skipped: [] });
    await send();
    const received = await mail.next(email);
    const token = String(linkIn(received).searchParams.get('sponsored'));
    const [{ id }] = (await list(link, { search: email })).nodes;
    return { email, token, id: String(id), received };
  }
  async function person(email: string, emailVerified = true) {
    const account = { email, firstName: 'Gu', lastName: 'Est', passwordHash: 'none', at: clock() };
    const { id } = await inTransaction(database, (tx) => createAccount(account, tx));
    await database.prisma.user.update({ where: { id }, data: { emailVerified } });
    const client = cookieClient(app);
    await client.signIn(id);
    return client;
  }
  const change = (field: string, id: string, key = partner.key) =>
    app.graph(
      key,
      `mutation Change($id: ID!) { result: ${field}(input: { id: $id }) { invitation { state } } }`,
      { id },
    );
  const codeOf = ({ errors }: Awaited<ReturnType<typeof change>>) => errors[0]?.extensions;

  it('An invited person gets a mail, opens the offer, and redeems it; the partner sees each step', async () => {
    const link = await newLink({ name: 'Spring', durationMonths: 3 });
    const email = newEmail();
    await invite(link, [email]);
    expect(await stateOf(link)).toBe('NOT_SENT');
    expect(await send()).toBe(1);
    const { text = '', subject, ...received } = await mail.next(email);
    expect(subject).toBe('You are invited to a workspace on Atrium');
    expect(text).toContain(
      `“${partner.slug}” pays for a workspace on Atrium for you, for 3 months.`,
    );
    expect(text).toContain('until 29 May 2026 (UTC)');
    expect(await stateOf(link)).toBe('SENT');
    const token = String(linkIn({ text, ...received }).searchParams.get('sponsored'));
    const visitor = sponsoredLinkCalls(cookieClient(app), token);
    expect(await visitor.look()).toMatchObject({ campaignName: 'Spring', hasAllowList: true });
    await app.contextParts.linkClicks.store();
    expect(await stateOf(link)).toBe('OPENED');
    const guest = sponsoredLinkCalls(await person(email), token);
    expect(await guest.reserve()).toHaveProperty('heldUntil');
    expect(await guest.redeem('Guest Ltd')).toHaveProperty('organization');
    expect(await stateOf(link)).toBe('REDEEMED');
    expect(await guest.look()).toBe('ALREADY_REDEEMED');
    expect(await guest.workspace()).toHaveProperty('organization');
    const stored = await database.prisma.link.findUniqueOrThrow({ where: { id: link.id } });
    expect(stored.completedRedemptions).toBe(1);
  });

  it('Mails are in the chosen language, and names in them cannot become links', async () => {
    const other = await partnerIn(app);
    await app.graph(
      other.key,
      'mutation { setSponsorBranding(input: { displayName: "Ada evil.example" }) { branding { displayName } } }',
    );
    await database.prisma.sponsorBranding.upsert({
      where: { organizationId: other.id },
      create: { organizationId: other.id, displayName: 'Ada evil.example', updatedAt: clock() },
      update: { displayName: 'Ada evil.example' },
    });
    const { id } = await other.link((await other.campaign({ durationMonths: 1 })).id);
    const email = newEmail();
    await invite({ id: String(id) }, [email], { language: 'DE' }, other.key);
    await send();
    const { text = '', subject } = await mail.next(email);
    expect(subject).toBe('Einladung zu einem Arbeitsbereich auf Atrium');
    expect(text).toContain('„Ada evil. example“ bezahlt');
    expect(text).not.toContain('evil.example');
  });

  it('Only the invited address can redeem, and only if it is verified', async () => {
    const link = await newLink();
    const { email, token } = await invited(link);
    const stranger = sponsoredLinkCalls(await person(newEmail()), token);
    expect(await stranger.look()).toBe('EMAIL_NOT_ALLOWED');
    expect(await stranger.redeem('Stolen')).toBe('EMAIL_NOT_ALLOWED');
    const visitor = sponsoredLinkCalls(cookieClient(app), token);
    expect(await visitor.reserve()).toBe('EMAIL_NOT_ALLOWED');
    expect(await visitor.reserve('other@guests.example')).toBe('EMAIL_NOT_ALLOWED');
    expect(await visitor.reserve(email)).toHaveProperty('heldUntil');
    const unverified = sponsoredLinkCalls(await person(email, false), token);
    expect(await unverified.look()).toBe('EMAIL_NOT_VERIFIED');
    expect(await unverified.redeem('Guest')).toBe('EMAIL_NOT_VERIFIED');
    expect(await database.prisma.redemption.count({ where: { linkId: link.id } })).toBe(0);
  });

  it('An invitation that is redeemed many times at once creates one workspace', async () => {
    const link = await newLink();
    const { email, token } = await invited(link);
    const guest = await person(email);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => sponsoredLinkCalls(guest, token).redeem('Guest')),
    );
    expect(answers.some((answer) => typeof answer === 'object')).toBe(true);
    expect(await database.prisma.redemption.count({ where: { linkId: link.id } })).toBe(1);
    const { completedRedemptions } = await database.prisma.campaign.findUniqueOrThrow({
      where: { id: link.campaignId },
    });
    expect(completedRedemptions).toBe(1);
  });

  it('A revoked invitation is refused at once, also with a reservation, and others are not', async () => {
    const link = await newLink();
    const [first, second] = [await invited(link), await invited(link)];
    const guest = sponsoredLinkCalls(await person(first.email), first.token);
    expect(await guest.reserve()).toHaveProperty('heldUntil');
    expect((await change('revokeLinkInvitation', first.id)).data).toEqual({
      result: { invitation: { state: 'REVOKED' } },
    });
    expect(await guest.look()).toBe('INVITATION_REVOKED');
    expect(await guest.redeem('Guest')).toBe('INVITATION_REVOKED');
    const other = sponsoredLinkCalls(await person(second.email), second.token);
    expect(await other.redeem('Other')).toHaveProperty('organization');
    expect(codeOf(await change('revokeLinkInvitation', second.id))).toMatchObject({
      reason: 'INVITATION_USED',
    });
  });

  it('An expired invitation is refused, but a reservation from before can be completed', async () => {
    const link = await newLink();
    const [late, reserved] = [
      await invited(link, newEmail(), { days: 1, reminderDays: null }),
      await invited(link, newEmail(), { days: 1, reminderDays: null }),
    ];
    const [lateGuest, reservedGuest] = [await person(late.email), await person(reserved.email)];
    now = start + dayMs - minutes(1);
    const holder = sponsoredLinkCalls(reservedGuest, reserved.token);
    expect(await holder.reserve()).toHaveProperty('heldUntil');
    now = start + dayMs;
    expect((await list(link, { state: 'EXPIRED' })).totalCount).toBe(2);
    const guest = sponsoredLinkCalls(lateGuest, late.token);
    expect(await guest.look()).toBe('INVITATION_EXPIRED');
    expect(await guest.redeem('Late')).toBe('INVITATION_EXPIRED');
    expect(await holder.look()).toHaveProperty('heldUntil');
    expect(await holder.redeem('In time')).toHaveProperty('organization');
  });

  it('Invitations use the capacity of the campaign when they are redeemed', async () => {
    const link = await newLink({ maxRedemptions: 1 });
    const [first, second] = [await invited(link), await invited(link)];
    const [one, two] = [
      sponsoredLinkCalls(await person(first.email), first.token),
      sponsoredLinkCalls(await person(second.email), second.token),
    ];
    expect(await one.redeem('One')).toHaveProperty('organization');
    expect(await two.look()).toBe('CAMPAIGN_EXHAUSTED');
    expect(await two.redeem('Two')).toBe('CAMPAIGN_EXHAUSTED');
    expect((await list(link, { state: 'REDEEMED' })).totalCount).toBe(1);
  });

  it('An invitation needs no password, and the link itself still does', async () => {
    const link = await newLink({}, { password: 'open sesame' });
    const { email, token } = await invited(link);
    const client = await person(email);
    expect(await sponsoredLinkCalls(client, link.token).look()).toMatchObject({
      needsPassword: true,
    });
    expect(await sponsoredLinkCalls(client, token).look()).toMatchObject({ needsPassword: false });
    expect(await sponsoredLinkCalls(client, token).redeem('Guest')).toHaveProperty('organization');
  });

  it('A person who redeems the campaign by the link itself has redeemed the invitation', async () => {
    const link = await newLink();
    const { email } = await invited(link);
    const guest = sponsoredLinkCalls(await person(email), link.token);
    expect(await guest.redeem('Guest')).toHaveProperty('organization');
    expect(await stateOf(link)).toBe('REDEEMED');
    now = start + 13 * dayMs;
    expect(await send()).toBe(0);
  });

  it('A reminder is sent once, three days before the end, however many processes look for it', async () => {
    const link = await newLink();
    const { email, token } = await invited(link);
    const silent = await invited(link, newEmail(), { reminderDays: null });
    now = start + 11 * dayMs - 1;
    expect(await send()).toBe(0);
    now = start + 11 * dayMs;
    const sent = await Promise.all(Array.from({ length: 4 }, send));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
    const reminder = await mail.next(email);
    expect(reminder.subject).toBe('Your invitation to Atrium ends soon');
    expect(linkIn(reminder).searchParams.get('sponsored')).toBe(token);
    now = start + 13 * dayMs;
    expect(await send()).toBe(0);
    expect(mail.mails.filter(({ to }) => to?.[0]?.address === silent.email)).toEqual([]);
  });

  it('A reminder that the mail server refuses is not sent a second time', async () => {
    const link = await newLink();
    const { email } = await invited(link);
    now = start + 11 * dayMs;
    refusesMail = true;
    expect(await send()).toBe(0);
    refusesMail = false;
    now += dayMs;
    expect(await send()).toBe(0);
    expect((await list(link, { search: email })).nodes[0].remindedAt).not.toBeNull();
  });

  it('Nobody is reminded of a revoked invitation', async () => {
    const link = await newLink();
    const { id } = await invited(link);
    await change('revokeLinkInvitation', id);
    now = start + 11 * dayMs;
    expect(await send()).toBe(0);
  });

  it('A mail that the server refuses is tried again after five minutes, and at most five times', async () => {
    const link = await newLink();
    const email = newEmail();
    await invite(link, [email]);
    refusesMail = true;
    const before = mail.tries();
    expect(await send()).toBe(0);
    now += minutes(4);
    await send();
    expect(mail.tries() - before).toBe(1);
    for (let day = 1; day <= 10; day += 1) {
      now = start + day * dayMs;
      await send();
    }
    refusesMail = false;
    expect(mail.tries() - before).toBe(5);
    expect(await stateOf(link)).toBe('NOT_SENT');
    const [{ id }] = (await list(link)).nodes;
    expect(codeOf(await change('resendLinkInvitation', String(id)))).toBeUndefined();
    expect(await send()).toBe(1);
    await mail.next(email);
    expect(await stateOf(link)).toBe('SENT');
  });

  it('An invitation is sent again at most once an hour and five times, and both mails have the same address', async () => {
    const link = await newLink();
    const { email, token, id } = await invited(link);
    expect(codeOf(await change('resendLinkInvitation', id))).toMatchObject({
      code: 'RATE_LIMITED',
    });
    for (let times = 2; times <= 5; times += 1) {
      now += minutes(60);
      expect(codeOf(await change('resendLinkInvitation', id))).toBeUndefined();
      await send();
      expect(linkIn(await mail.next(email)).searchParams.get('sponsored')).toBe(token);
    }
    now += minutes(60);
    expect(codeOf(await change('resendLinkInvitation', id))).toMatchObject({
      code: 'RATE_LIMITED',
    });
  });

  it('A paused link or campaign sends no mails until it is resumed', async () => {
    const link = await newLink();
    const email = newEmail();
    await partner.sponsor('PATCH', `/links/${link.id}`, { isActive: false });
    await invite(link, [email]);
    expect(await send()).toBe(0);
    await partner.sponsor('PATCH', `/links/${link.id}`, { isActive: true });
    expect(await send()).toBe(1);
    await mail.next(email);
  });

  it('Addresses that cannot be invited are named with the reason, and the others are invited', async () => {
    const link = await newLink({ allowedEmailDomains: ['guests.example', 'redeem.example'] });
    const open = await invited(link);
    const { email: redeemed } = await partner.redeem(await newLink());
    const campaignLink = await newLink();
    const { email: here } = await partner.redeem(campaignLink);
    const fresh = newEmail();
    expect(
      await invite(link, [fresh, fresh.toUpperCase(), open.email, 'a@other.example', redeemed]),
    ).toMatchObject({
      invited: 2,
      skipped: [
        { email: open.email, reason: 'ALREADY_INVITED' },
        { email: 'a@other.example', reason: 'NOT_ALLOWED' },
      ],
    });
    expect(await invite(campaignLink, [here])).toMatchObject({
      ...{ invited: 0, skipped: [{ email: here, reason: 'ALREADY_REDEEMED' }] },
    });
    await send();
  });

  it('A revoked or expired invitation can be renewed, and its old address stays invalid', async () => {
    const link = await newLink();
    const first = await invited(link);
    await change('revokeLinkInvitation', first.id);
    const second = await invited(link, first.email);
    expect(second.token).not.toBe(first.token);
    expect((await list(link)).totalCount).toBe(1);
    const guest = await person(first.email);
    expect(await sponsoredLinkCalls(guest, first.token).look()).toBe('NOT_FOUND');
    expect(await sponsoredLinkCalls(guest, second.token).redeem('Guest')).toHaveProperty(
      'organization',
    );
  });

  it('An organization sends at most 2,000 mails a day, and a call that exceeds it invites nobody', async () => {
    const other = await partnerIn(app);
    const { id } = await other.link((await other.campaign()).id);
    const link = { id: String(id) };
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}${index}@many.example`);
    expect(await invite(link, many('a', 1_000), {}, other.key)).toMatchObject({ invited: 1_000 });
    expect(await invite(link, many('b', 999), {}, other.key)).toMatchObject({ invited: 999 });
    expect(await invite(link, many('c', 2), {}, other.key)).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await database.prisma.linkInvitation.count({ where: { linkId: link.id } })).toBe(1_999);
    expect(await invite(link, many('d', 1), {}, other.key)).toMatchObject({ invited: 1 });
    now = start + dayMs;
    expect(await invite(link, many('e', 1), {}, other.key)).toMatchObject({ invited: 1 });
  });

  it.each([
    ['no address', { emails: ['not an address'] }],
    ['1,001 addresses', { emails: Array.from({ length: 1_001 }, (_, n) => `p${n}@many.example`) }],
    ['0 days', { days: 0 }],
    ['91 days', { days: 91 }],
    ['a reminder 15 days before', { days: 30, reminderDays: 15 }],
    ['a reminder before the invitation', { days: 3, reminderDays: 3 }],
  ])('%s is refused, and nobody is invited', async (_, more) => {
    const link = await newLink();
    const answer = await invite(link, [newEmail()], more);
    expect(answer.code).toBe('BAD_INPUT');
    expect((await list(link)).totalCount).toBe(0);
  });

  it('Invitations of another partner do not exist, and members without the right do not invite', async () => {
    const link = await newLink();
    const { id, email } = await invited(link);
    const other = await partnerIn(app);
    expect(await invite(link, [newEmail()], {}, other.key)).toMatchObject({ code: 'NOT_FOUND' });
    for (const field of ['resendLinkInvitation', 'revokeLinkInvitation'])
      expect(codeOf(await change(field, id, other.key))).toMatchObject({ code: 'NOT_FOUND' });
    const { data } = await app.graph(other.key, 'query N($id: ID!) { node(id: $id) { id } }', {
      id,
    });
    expect(data).toEqual({ node: null });
    // The same address can be invited by another partner, who learns nothing about this one.
    const { id: otherLink } = await other.link((await other.campaign()).id);
    expect(await invite({ id: String(otherLink) }, [email], {}, other.key)).toMatchObject({
      ...{ invited: 1, skipped: [] },
    });
    await send();
    const member = await partner.member(`inviter@${partner.slug}.example`);
    const session = await signIn(app, member.id);
    const input = { linkId: link.id, emails: [newEmail()] };
    expect((await session.graph(inviteMutation, { input })).code).toBe('FORBIDDEN');
  });

  it('The token of an invitation is stored as a hash only, and is not in the audit log', async () => {
    const link = await newLink();
    const { token, id } = await invited(link);
    const rows = await database.unscoped.sql<Record<string, unknown>>`
      select to_jsonb(i)::text as row from link_invitations i where i.id = ${id}
      union all select to_jsonb(e)::text from audit_entries e where e.organization_id = ${partner.id}`;
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('The export of an account has the invitations to its confirmed address with the partner, the campaign and the state, and nobody else’s', async () => {
    const other = await partnerIn(app);
    const link = await newLink({ name: 'Autumn' });
    const email = newEmail();
    const { token } = await invited(link, email);
    await invite(link, [newEmail()]);
    const foreign = await other.link((await other.campaign({ name: 'Winter' })).id);
    now += 1_000;
    expect(await invite(foreign, [email], {}, other.key)).toMatchObject({ invited: 1 });
    const exportOf = async (client: Awaited<ReturnType<typeof person>>) => {
      const { data } = await client.graph('mutation { exportAccount(input: {}) { data } }');
      return Object(Object(data?.['exportAccount']).data).receivedInvitations;
    };
    const owner = await person(email);
    const exported = await exportOf(owner);
    expect(exported).toEqual([
      expect.objectContaining({
        ...{ email, state: 'NOT_SENT', campaign: { name: 'Winter' } },
        sponsor: { id: other.id, name: other.slug },
      }),
      expect.objectContaining({
        ...{ email, state: 'SENT', campaign: { name: 'Autumn' } },
        sponsor: { id: partner.id, name: partner.slug },
        ...{ createdAt: clockText(start), sentAt: expect.any(String), redeemedAt: null },
      }),
    ]);
    expect(JSON.stringify(exported)).not.toContain(token);
    // Anybody can sign up with the address of another person.
    const claimed = newEmail();
    await invite(link, [claimed]);
    expect(await exportOf(await person(claimed, false))).toEqual([]);
  });

  it('Deleting an account deletes the invitations to its confirmed address, and their mails', async () => {
    const link = await newLink();
    const [email, other, claimed] = [newEmail(), newEmail(), newEmail()];
    const { token } = await invited(link, email, { reminderDays: 3 });
    await invite(link, [other, claimed]);
    const remove = async (client: Awaited<ReturnType<typeof person>>, address: string) => {
      const { data } = await client.graph(
        `mutation { deleteAccount(input: { email: "${address}" }) { success } }`,
      );
      expect(data).toEqual({ deleteAccount: { success: true } });
    };
    await remove(await person(email), email);
    await remove(await person(claimed, false), claimed);
    const { nodes } = await list(link);
    expect(nodes.map((node: { email: string }) => node.email)).toEqual([other, claimed].toSorted());
    expect(await sponsoredLinkCalls(cookieClient(app), token).look()).toBe('NOT_FOUND');
    mail.mails.splice(0);
    now = start + 12 * dayMs;
    await send();
    expect(mail.mails.map(({ to }) => to?.[0]?.address)).not.toContain(email);
    const stored = await database.unscoped.sql`
      select id from link_invitations where email = ${email}`;
    expect(stored).toEqual([]);
  });

  it('Deleting the campaign ends its invitations, and old ones are deleted 90 days after their end', async () => {
    const [deleted, old] = [await newLink(), await newLink()];
    const gone = await invited(deleted);
    await invited(old);
    await database.prisma.campaign.delete({ where: { id: deleted.campaignId } });
    expect(await sponsoredLinkCalls(cookieClient(app), gone.token).look()).toBe('NOT_FOUND');
    now = start + (14 + 90) * dayMs;
    await sweepLinkInvitations(app.contextParts);
    expect((await list(old)).totalCount).toBe(1);
    now += 1;
    await sweepLinkInvitations(app.contextParts);
    expect((await list(old)).totalCount).toBe(0);
  });

  it('Old invitations are also deleted once the installation sends no mail', async () => {
    const old = await newLink();
    await invited(old);
    now = start + (14 + 90) * dayMs + 1;
    const mailer = { ...app.contextParts.mail, kind: 'none' } as const;
    const scheduled = scheduleLinkInvitations({ ...app.contextParts, mail: mailer });
    await expect.poll(async () => (await list(old)).totalCount).toBe(0);
    await scheduled.stop();
  });
});

describe('an Atrium that sends no mail', () => {
  it('It refuses invitations to links, and says why', async () => {
    const app = await testApp();
    const partner = await partnerIn(app);
    const { id } = await partner.link((await partner.campaign()).id);
    const { errors } = await app.graph(partner.key, inviteMutation, {
      input: { linkId: id, emails: ['guest@guests.example'] },
    });
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('sends no mail'),
      extensions: { code: 'FEATURE_DISABLED' },
    });
    await app.close();
  });
});
