import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount } from '../../../src/modules/accounts/sign-up/create-account.ts';
import { createKey } from '../../../src/modules/api-keys/create-key.ts';
import { sealEntries } from '../../../src/modules/audit/sealing/seal-entries.ts';
import { features } from '../../../src/modules/organizations/features.ts';
import { sha256Of } from '../../../src/modules/runs/receipts/receipt-participant.ts';
import { reserveRedemption } from '../../../src/modules/sponsorship/redeeming/reserve-redemption.ts';
import { UsageDimension } from '../../../src/platform/database/generated/client.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import type { TestApp } from '../../support/app.ts';
import { assistantOf, share } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { invite } from '../../support/invitations.ts';
import { partnerIn } from '../../support/partner.ts';
import { settleEvents } from '../../support/settle-events.ts';
import { sessionWith, signIn } from '../../support/sign-in.ts';

/** A caller: its name, and the headers with its credentials. */
export type TestCaller = { name: string; headers: Record<string, string> };

/** An organization with rows in every table, and the callers that belong to it. */
export type Tenant = {
  organizationId: string;
  callers: TestCaller[];
  /** The secret tokens of a sponsored link and of an invitation. */
  linkToken: string;
  invitationToken: string;
  /** A signed-in person who is no longer a member. */
  former: TestCaller;
  /** The workspace that the organization sponsors, and the person who redeemed the link. */
  sponsored: { organizationId: string; userId: string };
};

/** The headers of a caller without credentials. */
export const noCredentials = {};

const withKey = (name: string, key: string): TestCaller => ({
  name,
  headers: { authorization: `Bearer ${key}` },
});

/** Signs a person in and marks their address as verified. */
export async function sessionOf(
  app: TestApp,
  name: string,
  userId: string,
  headers: Record<string, string> = {},
): Promise<TestCaller> {
  await app.database.prisma.user.update({ where: { id: userId }, data: { emailVerified: true } });
  return { name, headers: { cookie: (await signIn(app, userId)).cookie, ...headers } };
}

/** Creates a tenant. The text `secret` is part of its files and of their passages. */
export async function createTenant(app: TestApp, label: string, secret: string): Promise<Tenant> {
  const { database } = app;
  const partner = await partnerIn(app);
  const member = await partner.member(`member@${label}.example`, {
    firstName: 'Mem',
    lastName: 'Ber',
  });
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
  const memberKey = await partner.userKey(member.id);
  const memberClient = {
    key: memberKey.key,
    call: app.callerWith(memberKey.key),
    graph: (query: string, variables = {}) => app.graph(memberKey.key, query, variables),
  };
  const administrator = await sessionOf(app, `administrator of ${label}`, partner.administratorId);
  const { key: administratorKey } = await partner.userKey(partner.administratorId);

  const { id: formerId } = await partner.member(`former@${label}.example`);
  expectOk(await partner.manage('DELETE', `/users/${formerId}`));
  const former = await sessionOf(app, `former member of ${label}`, formerId);

  const team = Object(
    expectOk(
      await partner.manage(
        'POST',
        '/teams',
        { name: `${label} team` },
        { 'idempotency-key': `made-by-${label}` },
      ),
    ).body['team'],
  );
  expectOk(await partner.manage('POST', `/teams/${team.id}/users`, { userId: member.id }));

  const campaign = await partner.campaign({
    maxRedemptions: 50,
    allowedEmailDomains: ['redeem.example'],
    allowedEmails: [`guest@${label}.example`],
  });
  await partner.price(campaign.id, 20);
  const { errors } = await app.graph(
    partner.key,
    'mutation Brand($input: SetSponsorBrandingInput!) { setSponsorBranding(input: $input) { branding { sentence } } }',
    { input: { displayName: 'Brand', sentence: 'A sentence', logo: logoOf(label) } },
  );
  if (errors.length > 0) throw new Error(`the branding was refused: ${JSON.stringify(errors)}`);
  await partner.link(campaign.id, { password: 'a word of mouth' });
  const link = await partner.link(campaign.id);
  await app.database.prisma.linkInvitation.create({
    data: {
      ...{ id: `${label}-link-invitation`, linkId: String(link['id']), campaignId: campaign.id },
      ...{
        organizationId: partner.id,
        email: `linked@${label}.example`,
        tokenHash: randomBytes(32),
      },
      ...{ origin: 'http://atrium.test', language: 'EN', createdAt: new Date() },
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  const redeemed = await partner.redeem(link, { organizationName: `${label} sponsored` });
  expectOk(
    await partner.sponsor('PATCH', `/redemptions/${redeemed.id}/billing`, {
      billingStatus: 'BILLED',
      billingAmount: 20,
      billingBatchId: 'batch',
    }),
  );
  expectOk(
    await partner.sponsor('PATCH', `/redemptions/${redeemed.id}/extend`, {
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

  const assistantId = await assistantOf(memberClient, {
    instructions: 'Be brief.',
    model: 'atrium-extractive',
  });
  await share(memberClient, assistantId, 'EDIT', { teamId: team.id });
  await share(memberClient, assistantId, 'OWNER', { userId: partner.administratorId });
  await database.prisma.assistantFavorite.create({
    data: { assistantId, userId: member.id, organizationId: partner.id },
  });
  const files = filesOf(app, memberClient, assistantId);
  const readableFileId = fileIdIn(
    await files.upload(`${secret} is in a file that other tenants must not read.`, {
      name: 'kept.txt',
    }),
  );
  const unreadableFileId = fileIdIn(
    await files.upload(`%PDF-1.7 ${secret}`, { name: 'broken.pdf', type: 'application/pdf' }),
  );
  for (const id of [readableFileId, unreadableFileId])
    while (!/COMPLETED|FAILED/.test(String((await files.get(id)).body['processingStatus'])))
      await pause(20);

  const { id: runId } = await database.prisma.run.create({
    data: {
      ...{ id: `run-${label}`, organizationId: partner.id, assistantId, userId: member.id },
      ...{ assistantVersion: new Date(), state: 'COMPLETED', model: 'some/model' },
      ...{ endedAt: new Date(), leaseHolder: 'a process', errorCode: 'INTERNAL' },
    },
  });
  await database.prisma.runStep.create({
    data: {
      ...{ runId, number: 1, organizationId: partner.id, model: 'some/model' },
      ...{ startedAt: new Date(), endedAt: new Date() },
      ...{ promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
    },
  });
  await database.prisma.runReceipt.create({
    data: {
      ...{ runId, organizationId: partner.id },
      ...{ questionHash: sha256Of(`question of ${label}`), answerHash: sha256Of(secret) },
      citations: {
        create: [
          {
            ...{ marker: 1, documentId: readableFileId, versionId: readableFileId, page: 1 },
            ...{ start: 0, end: secret.length, hash: sha256Of(`quote of ${label}`) },
          },
        ],
      },
    },
  });
  const runnableId = await assistantOf(memberClient, { instructions: 'Answer.' });
  const question = { messages: [{ role: 'user', content: `What is ${secret}?` }] };
  const prefer = { prefer: 'respond-async' };
  const path = `/api/assistants/v1/${runnableId}/run`;
  const run = await memberClient.call('POST', path, question, prefer);
  await memberClient.call('GET', `/api/assistants/v1/runs/${run.body['runId']}?wait=25`);

  const conversationId = await conversationsOf(memberClient).create(assistantId);
  expectOk(
    await conversationsOf(memberClient).ask({ assistantId, conversationId }, `Is ${secret} kept?`),
  );
  const conversation = await conversationsOf(memberClient).get(conversationId);
  expectOk(
    await memberClient.call('POST', conversationsOf(memberClient).at(conversationId, '/share')),
  );
  const [asked, marked] = conversation.messages;
  await database.prisma.answerFeedback.create({
    data: {
      ...{ id: `feedback-${partner.id}`, conversationId, organizationId: partner.id, assistantId },
      ...{ messageId: marked?.id ?? '', userId: member.id, mark: 'BAD', reason: 'WRONG' },
      ...{ comment: secret, sharedQuestion: asked?.text ?? '', sharedAnswer: marked?.text ?? '' },
      givenOn: new Date('2026-01-01T00:00:00.000Z'),
    },
  });
  const attachmentKey = `${partner.id}/attachment-of-${label}`;
  const attached = await app.contextParts.files.storage.put(
    attachmentKey,
    Readable.from([Buffer.from(secret)]),
  );
  await database.prisma.conversationAttachment.create({
    data: {
      ...{ id: `attachment-${partner.id}`, conversationId, organizationId: partner.id },
      ...{ messageId: asked?.id ?? '', originalName: 'a.txt' },
      ...{ mimeType: 'text/plain', size: attached.bytes, hash: attached.hash },
      storageKey: attachmentKey,
    },
  });

  const session = sessionWith(app, administrator.headers['cookie'] ?? '');
  const { token: invitationToken } = await invite(session, `invited@${label}.example`, {
    teamId: team.id,
  });
  const { id: organizationId } = partner;
  const farFuture = new Date('2040-01-01T00:00:00.000Z');
  await database.prisma.fileRemoval.create({
    data: {
      id: `removal-${organizationId}`,
      organizationId,
      collection: 'none',
      document: 'none',
      // The storage refuses this key, so the background tries again and again, and the row stays.
      storageKeys: [`none of ${organizationId}`],
    },
  });
  const day = new Date(new Date().toISOString().slice(0, 10));
  const tokens = { promptTokens: 5, completionTokens: 1, cachedTokens: 0, embeddingTokens: 0 };
  const entry = { organizationId, assistantId, userId: member.id, keyId: memberKey.id, ...tokens };
  await database.prisma.usageEntry.create({
    data: {
      ...entry,
      runId: `run-${organizationId}`,
      step: 1,
      at: day,
      model: 'm',
      isCounted: true,
    },
  });
  for (const dimension of Object.values(UsageDimension))
    await database.prisma.usageTotal.create({
      data: { ...{ organizationId, dimension, day, value: 'v', runs: 1, steps: 1 }, ...tokens },
    });
  await database.prisma.budget.create({
    data: {
      ...{ id: `budget-${organizationId}`, organizationId, scope: 'USER', scopeId: member.id },
      ...{ metric: 'RUNS', period: 'TOTAL', limitAmount: 1_000_000, mode: 'BLOCK' },
      periodStart: new Date(0),
      reservations: {
        create: { runId: 'a run that was killed', amount: 1, expiresAt: farFuture },
      },
    },
  });
  // Disabled, so that nothing is sent while requests of others are compared.
  const endpointId = `endpoint-${organizationId}`;
  await database.prisma.webhookEndpoint.create({
    data: {
      ...{ id: endpointId, organizationId, url: 'https://hooks.example/atrium' },
      ...{ types: [], encryptedSecret: 's', encryptedPreviousSecret: 'p' },
      ...{ previousSecretUntil: farFuture, state: 'DISABLED', disabledReason: 'REQUESTED' },
      cursor: 'c',
    },
  });
  const ofEndpoint = { endpointId, organizationId };
  await database.prisma.webhookDelivery.create({
    data: {
      ...{ id: `delivery-${organizationId}`, ...ofEndpoint },
      ...{ eventId: `event-${organizationId}`, eventType: 'TEAM_CREATED', eventAt: day },
      ...{ resourceKey: 'Team t', data: {}, state: 'FAILED', tries: 10, nextTryAt: farFuture },
      ...{ lastStatus: 500, lastError: 'e', endedAt: farFuture },
      ...{ leaseHolder: 'h', leaseUntil: farFuture },
    },
  });
  await database.prisma.webhookNotice.create({
    data: {
      ...{ id: `notice-${organizationId}`, ...ofEndpoint },
      ...{ state: 'DISABLED', at: day, claimedUntil: farFuture },
    },
  });
  await database.prisma.webhookReplay.create({
    data: {
      ...{ id: `replay-${organizationId}`, ...ofEndpoint, cursor: 'c' },
      ...{ fromAt: day, untilAt: day, onlyFailed: false, createdAt: day },
    },
  });
  const { clock, receiptKeys: signingKeys } = app.contextParts;
  await settleEvents(database);
  while (await sealEntries(organizationId, { database, clock, signingKeys }));
  await database.prisma.auditNode.create({
    data: { ...{ organizationId, level: 60, index: 0 }, hash: randomBytes(32) },
  });
  await database.prisma.verification.create({
    data: {
      id: `verification-${organizationId}`,
      identifier: 'i',
      value: 'v',
      expiresAt: farFuture,
    },
  });
  // Otherwise the background adds the usage to its totals while requests of others are compared.
  await app.contextParts.usage.keeper.keep();
  return {
    organizationId,
    linkToken: String(link['token']),
    invitationToken,
    former,
    sponsored: redeemed,
    callers: [
      withKey(`organization key of ${label}`, partner.key),
      withKey(`administrator's key of ${label}`, administratorKey),
      withKey(`member's key of ${label}`, memberKey.key),
      administrator,
      await sessionOf(app, `member of ${label}`, member.id),
    ],
  };
}

/** The callers of a sponsored workspace, after all features were enabled for it. */
export async function callersOfSponsored(
  app: TestApp,
  { organizationId, userId }: Tenant['sponsored'],
): Promise<TestCaller[]> {
  const { database } = app;
  await database.prisma.organization.update({
    where: { id: organizationId },
    data: { features: [...features] },
  });
  const keyFor = async (kind: 'USER' | 'ORGANIZATION') => {
    const keyInput = {
      kind,
      organizationId,
      userId: kind === 'USER' ? userId : null,
      name: 'a key',
      createdById: userId,
      at: new Date(),
    };
    return (await inTransaction(database, (tx) => createKey(keyInput, tx))).key;
  };
  return [
    withKey('organization key of the sponsored', await keyFor('ORGANIZATION')),
    withKey('key of the sponsored', await keyFor('USER')),
    await sessionOf(app, 'administrator of the sponsored', userId),
  ];
}

/**
 * Callers without a relation to the foreign tenant: no credentials, an account without an
 * organization, a former member, and a session that names the foreign organization.
 */
export async function unrelatedCallers(
  app: TestApp,
  foreignTenant: Tenant,
  ownTenant: Tenant,
): Promise<TestCaller[]> {
  const account = (email: string) =>
    inTransaction(app.database, (tx) =>
      createAccount(
        { email, firstName: 'No', lastName: 'Body', passwordHash: 'none', at: new Date() },
        tx,
      ),
    );
  const { id: strangerId } = await account('alone@stranger.example');
  const [, , , administrator] = ownTenant.callers;
  return [
    { name: 'no credentials', headers: noCredentials },
    {
      name: 'an administrator who names the foreign organization',
      headers: { ...administrator?.headers, 'x-atrium-organization': foreignTenant.organizationId },
    },
    foreignTenant.former,
    await sessionOf(app, 'a person of no organization', strangerId),
  ];
}

function expectOk<CheckedAnswer extends { status: number; text: string }>(
  answer: CheckedAnswer,
): CheckedAnswer {
  if (answer.status !== 200)
    throw new Error(`setting up a tenant failed with ${answer.status}: ${answer.text}`);
  return answer;
}

/** The beginning of a PNG image. The text makes it the image of one tenant. */
const logoOf = (label: string): string =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    Buffer.from('0000000d49444154789c626001000000ffff03000006000557bfabd4', 'hex'),
    Buffer.from(label),
  ]).toString('base64');
