import { setTimeout as pause } from 'node:timers/promises';
import { createAccount } from '../../../src/modules/accounts/create-account.ts';
import { createKey } from '../../../src/modules/api-keys/create-key.ts';
import { features } from '../../../src/modules/organizations/features.ts';
import { reserveRedemption } from '../../../src/modules/sponsorship/reserve-redemption.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import type { TestApp } from '../../support/app.ts';
import { assistantOf, share } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { invite } from '../../support/invitations.ts';
import { partnerIn } from '../../support/partner.ts';
import { sessionWith, signIn } from '../../support/sign-in.ts';

/** Somebody who asks: what their requests show of who they are. */
export type Caller = { name: string; headers: Record<string, string> };

/** An organization with something in every table, and whoever can ask for it. */
export type Tenant = {
  organizationId: string;
  callers: Caller[];
  /** What only links hold. */
  linkToken: string;
  invitationToken: string;
  /** Somebody who was a member once, signed in. */
  former: Caller;
  /** The workspace that it sponsors, and who redeemed it. */
  sponsored: { organizationId: string; userId: string };
};

/** What shows nothing of who asks. */
export const nobody = {};

const withKey = (name: string, key: string): Caller => ({
  name,
  headers: { authorization: `Bearer ${key}` },
});

/** A session of this person, whose address counts as confirmed. */
export async function sessionOf(
  app: TestApp,
  name: string,
  userId: string,
  headers: Record<string, string> = {},
): Promise<Caller> {
  await app.database.prisma.user.update({ where: { id: userId }, data: { emailVerified: true } });
  return { name, headers: { cookie: (await signIn(app, userId)).cookie, ...headers } };
}

/** `secret` is a text that stands in their files and in the passages of these. */
export async function furnish(app: TestApp, label: string, secret: string): Promise<Tenant> {
  const { database } = app;
  const us = await partnerIn(app);
  const member = await us.member(`member@${label}.example`, { firstName: 'Mem', lastName: 'Ber' });
  await database.prisma.authenticatorApp.create({
    data: { id: `app-${label}`, userId: member.id, secret: 'encrypted' },
  });
  await database.prisma.passkey.create({
    data: {
      ...{
        id: `passkey-${label}`,
        userId: member.id,
        name: `passkey of ${label}`,
        credentialId: `credential-${label}`,
      },
      ...{ publicKey: new Uint8Array(8), counter: 0n, transports: ['usb'] },
    },
  });
  const memberKey = await us.userKey(member.id);
  const asMember = {
    key: memberKey.key,
    call: app.callerWith(memberKey.key),
    graph: (query: string, variables = {}) => app.graph(memberKey.key, query, variables),
  };
  const administrator = await sessionOf(app, `administrator of ${label}`, us.administratorId);
  const { key: administratorKey } = await us.userKey(us.administratorId);

  const { id: formerId } = await us.member(`former@${label}.example`);
  must(await us.manage('DELETE', `/users/${formerId}`));
  const former = await sessionOf(app, `former member of ${label}`, formerId);

  const team = Object(
    must(
      await us.manage(
        'POST',
        '/teams',
        { name: `${label} team` },
        { 'idempotency-key': `made-by-${label}` },
      ),
    ).body['team'],
  );
  must(await us.manage('POST', `/teams/${team.id}/users`, { userId: member.id }));

  const campaign = await us.campaign({
    maxRedemptions: 50,
    allowedEmailDomains: ['redeem.example'],
    allowedEmails: [`guest@${label}.example`],
  });
  await us.price(campaign.id, 20);
  await us.link(campaign.id, { password: 'a word of mouth' });
  const link = await us.link(campaign.id);
  const redeemed = await us.redeem(link, { organizationName: `${label} sponsored` });
  must(
    await us.sponsor('PATCH', `/redemptions/${redeemed.id}/billing`, {
      billingStatus: 'BILLED',
      billingAmount: 20,
      billingBatchId: 'batch',
    }),
  );
  must(
    await us.sponsor('PATCH', `/redemptions/${redeemed.id}/extend`, {
      newSponsoredUntil: '2040-01-01T00:00:00.000Z',
      reason: 'a reason',
    }),
  );
  await reserveRedemption(
    {
      token: String(link['token']),
      userId: null,
      email: 'somebody@redeem.example',
      passwordGrant: null,
    },
    app.contextParts,
  );

  const assistantId = await assistantOf(asMember, {
    instructions: 'Be brief.',
    model: 'some/model',
  });
  await share(asMember, assistantId, 'EDIT', { teamId: team.id });
  await share(asMember, assistantId, 'OWNER', { userId: us.administratorId });
  const files = filesOf(app, asMember, assistantId);
  const read = fileIdIn(
    await files.upload(`${secret} stands in a file, and nobody else shall read it.`, {
      name: 'kept.txt',
    }),
  );
  const refused = fileIdIn(
    await files.upload(`%PDF-1.7 ${secret}`, { name: 'broken.pdf', type: 'application/pdf' }),
  );
  for (const id of [read, refused])
    while (!/COMPLETED|FAILED/.test(String((await files.get(id)).body['processingStatus'])))
      await pause(20);

  const session = sessionWith(app, administrator.headers['cookie'] ?? '');
  const { token: invitationToken } = await invite(session, `invited@${label}.example`, {
    teamId: team.id,
  });
  const { id: organizationId } = us;
  const later = new Date('2040-01-01T00:00:00.000Z');
  await database.prisma.fileRemoval.create({
    data: {
      id: `removal-${organizationId}`,
      organizationId,
      collection: 'none',
      document: 'none',
      storageKeys: [`${organizationId}/none`],
      nextAttemptAt: later,
    },
  });
  await database.prisma.verification.create({
    data: { id: `verification-${organizationId}`, identifier: 'i', value: 'v', expiresAt: later },
  });
  return {
    organizationId,
    linkToken: String(link['token']),
    invitationToken,
    former,
    sponsored: redeemed,
    callers: [
      withKey(`organization key of ${label}`, us.key),
      withKey(`administrator's key of ${label}`, administratorKey),
      withKey(`member's key of ${label}`, memberKey.key),
      administrator,
      await sessionOf(app, `member of ${label}`, member.id),
    ],
  };
}

/** Whoever can ask for a sponsored workspace, which has been given every feature. */
export async function callersOfSponsored(
  app: TestApp,
  { organizationId, userId }: Tenant['sponsored'],
): Promise<Caller[]> {
  const { database } = app;
  await database.prisma.organization.update({
    where: { id: organizationId },
    data: { features: [...features] },
  });
  const keyFor = async (kind: 'USER' | 'ORGANIZATION') => {
    const made = {
      kind,
      organizationId,
      userId: kind === 'USER' ? userId : null,
      name: 'a key',
      createdById: userId,
      at: new Date(),
    };
    return (await inTransaction(database, (tx) => createKey(made, tx))).key;
  };
  return [
    withKey('organization key of the sponsored', await keyFor('ORGANIZATION')),
    withKey('key of the sponsored', await keyFor('USER')),
    await sessionOf(app, 'administrator of the sponsored', userId),
  ];
}

/**
 * Whoever belongs to nobody: without anything, with an account, and with a session in which they
 * choose somebody else's organization.
 */
export async function strangers(app: TestApp, foreign: Tenant, own: Tenant): Promise<Caller[]> {
  const account = (email: string) =>
    inTransaction(app.database, (tx) =>
      createAccount(
        { email, firstName: 'No', lastName: 'Body', passwordHash: 'none', at: new Date() },
        tx,
      ),
    );
  const { id: alone } = await account('alone@stranger.example');
  const [, , , administrator] = own.callers;
  return [
    { name: 'nobody', headers: nobody },
    {
      name: 'an administrator who asks in their name',
      headers: { ...administrator?.headers, 'x-atrium-organization': foreign.organizationId },
    },
    foreign.former,
    await sessionOf(app, 'a person of no organization', alone),
  ];
}

function must<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status !== 200)
    throw new Error(`furnishing a tenant met ${answer.status}: ${answer.text}`);
  return answer;
}
