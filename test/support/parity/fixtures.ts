import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context, Viewer } from '../../../src/access/context.ts';
import { features } from '../../../src/modules/organizations/features.ts';
import { sha256Of } from '../../../src/modules/runs/receipts/receipt-participant.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { answerOf } from '../answers.ts';
import { testApp } from '../app.ts';
import { assistantOf } from '../assistants.ts';
import { fileIdIn, filesOf } from '../files.ts';
import { partnerIn } from '../partner.ts';
import { searchVaultStub } from '../search-vault-stub.ts';
import { serveApp } from '../serve-app.ts';
import { signIn } from '../sign-in.ts';

/** Who sends a request: the headers for both APIs, and the viewer that they identify. */
export type Sender = {
  headers: Record<string, string>;
  viewer: Viewer;
  /** The ids and names that differ between two fixtures, each with what it stands for. */
  names: Record<string, string>;
};

/**
 * The real application behind a socket, with a clock that only fixtures advance: two fixtures of
 * one kind are equal, except for ids and names.
 */
export async function parityApp({ database }: { database?: Database } = {}) {
  const start = Date.parse('2026-05-05T10:00:00.000Z');
  let now = start;
  const vault = await searchVaultStub();
  const settings = {
    ...{ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000', ANONYMOUS_LIMIT: '100000' },
    ...{ VAULT_PERSON_LIMIT: '100000', VAULT_ORGANIZATION_LIMIT: '100000' },
  };
  const app = await testApp(settings, {
    clock: () => new Date(now),
    vault: vault.client,
    ...(database && { database }),
  });
  const { prisma } = app.database;
  const server = await serveApp(app);
  const tick = () => {
    now += 1_000;
  };

  /** An organization with a member, a team, a campaign, a link and a redemption. */
  async function organization() {
    now = start;
    const partner = await partnerIn(app);
    const { id: organizationId, slug, keyId, key } = partner;
    tick();
    const member = await partner.member(`ada@${slug}.example`, {
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    const { id: teamId } = await prisma.team.create({
      data: {
        id: `team-${slug}`,
        organizationId,
        name: 'Research',
        nameKey: 'research',
        createdAt: new Date(now),
      },
    });
    tick();
    const { id: campaignId } = await partner.campaign({
      name: 'Spring offer',
      maxRedemptions: 5,
      expiresAt: '2030-01-01T00:00:00Z',
      includedSeats: 5,
    });
    tick();
    const link = await partner.link(campaignId, { name: 'Trade fair' });
    tick();
    const redemption = await partner.redeem(link, { organizationName: 'Hopper Systems Ltd' });
    tick();
    const names = {
      [organizationId]: 'organization',
      [slug]: 'slug',
      [partner.administratorId]: 'administrator',
      [partner.defaultTeamId]: 'default team',
      [member.id]: 'member',
      [teamId]: 'team',
      [campaignId]: 'campaign',
      [link.id]: 'link',
      [redemption.id]: 'redemption',
      [redemption.email]: 'redeemer',
      [redemption.userId]: 'redeeming user',
      [redemption.organizationId]: 'sponsored organization',
      [keyId]: 'key',
    };
    const viewer: Viewer = {
      kind: 'ORGANIZATION_KEY',
      keyId,
      organizationId,
      features: new Set(features),
      limitPerMinute: null,
    };
    return {
      ...partner,
      member,
      teamId,
      campaignId,
      linkId: link.id,
      redemptionId: redemption.id,
      headers: { authorization: `Bearer ${key}` },
      viewer,
      names,
    };
  }

  /** A member with a user key, and an assistant with a processed file. */
  async function assistant() {
    const owner = await organization();
    const { id: organizationId, member } = owner;
    const { id: keyId, key } = await owner.userKey(member.id);
    const person = {
      key,
      call: app.callerWith(key),
      graph: (query: string, variables?: Record<string, unknown>) =>
        app.graph(key, query, variables),
    };
    const assistantId = await assistantOf(person, { name: 'Handbook' });
    tick();
    const text = 'Employees get 30 days of vacation.';
    const documentId = fileIdIn(
      await filesOf(app, person, assistantId).upload(text, { name: 'handbook.pdf' }),
    );
    await prisma.assistantFile.update({
      where: { id: documentId },
      data: {
        status: 'COMPLETED',
        mimeType: 'application/pdf',
        derivations: ['text', 'markdown', 'chunks', 'embeddings'],
        pages: 12,
        passages: 42,
      },
    });
    vault.put(assistantId, [{ document: documentId, text, page: 3, start: 100 }]);
    tick();
    const viewer: Viewer = {
      kind: 'USER_KEY',
      keyId,
      userId: member.id,
      organizationId,
      isAdmin: false,
      features: new Set(features),
      limitPerMinute: null,
    };
    const names = {
      ...owner.names,
      [keyId]: 'user key',
      [assistantId]: 'assistant',
      [documentId]: 'file',
    };
    const sender: Sender = { headers: { authorization: `Bearer ${key}` }, viewer, names };
    return { ...sender, key, organizationId, memberId: member.id, keyId, assistantId, documentId };
  }

  /** A person with a shared conversation of two messages, the first of which has a file. */
  async function conversation() {
    const owner = await assistant();
    const { organizationId, assistantId } = owner;
    const call = app.callerWith(owner.key);
    const path = '/api/conversations/v1/conversations';
    const created = await call('POST', path, { assistantId });
    const { id: conversationId } = answerOf('createConversation', created).conversation;
    tick();
    await call('POST', `/api/assistants/v1/${assistantId}/run`, {
      conversationId,
      messages: [{ role: 'user', content: 'How many days of vacation do I get?' }],
    });
    const { messages } = answerOf(
      'getConversation',
      await call('GET', `${path}/${conversationId}`),
    );
    const [question, answer] = messages;
    const attachmentId = randomUUID();
    const storageKey = `${organizationId}/${attachmentId}`;
    const content = [Buffer.from('Vacation begins in May.')];
    const { bytes, hash } = await app.contextParts.files.storage.put(
      storageKey,
      Readable.from(content),
    );
    await prisma.conversationAttachment.create({
      data: {
        ...{ id: attachmentId, conversationId, organizationId, messageId: question?.id ?? '' },
        ...{ originalName: 'vacation.txt', mimeType: 'text/plain', size: bytes, hash, storageKey },
        createdAt: new Date(now),
      },
    });
    const shared = await call('POST', `${path}/${conversationId}/share`);
    const { token } = answerOf('shareConversation', shared);
    const names = {
      ...owner.names,
      [conversationId]: 'conversation',
      [question?.id ?? '']: 'question',
      [answer?.id ?? '']: 'answer',
      [answer?.runId ?? '']: 'run',
      [attachmentId]: 'attachment',
      [token]: 'token',
    };
    return { ...owner, names, conversationId, attachmentId, token };
  }

  /** A durable run of an assistant, which is COMPLETED. */
  async function run() {
    const owner = await assistant();
    const { organizationId, assistantId, documentId, memberId, keyId } = owner;
    const runId = randomUUID();
    const at = new Date(now);
    const result = {
      runId,
      ...{ text: 'Thirty days.', model: 'large', messages: [], citations: [] },
      ...{ citationDetails: [], finishReason: 'STOP' },
      usage: { promptTokens: 10, completionTokens: 5 },
    };
    await prisma.run.create({
      data: {
        ...{ id: runId, organizationId, assistantId, userId: memberId, keyId, model: 'large' },
        ...{ isDurable: true, state: 'COMPLETED', stepCount: 1, promptTokens: 10 },
        ...{ completionTokens: 5, assistantVersion: at, createdAt: at, startedAt: at, endedAt: at },
        contentUntil: new Date('2030-01-01T00:00:00Z'),
        content: {
          create: {
            ...{ request: '{}', sentPassages: '[]', fence: 'data', result: JSON.stringify(result) },
            events: {
              create: [
                { type: 'step', number: 1, attempt: 1 },
                { type: 'text', text: 'Thirty days.' },
                { type: 'done' },
              ].map((event, index) => ({ sequence: index + 1, data: JSON.stringify(event) })),
            },
          },
        },
      },
    });
    const place = { documentId, versionId: documentId, page: 3, start: 100, end: 134 };
    await prisma.runReceipt.create({
      data: {
        ...{ runId, organizationId, questionHash: sha256Of('How many?') },
        answerHash: sha256Of(result.text),
        citations: { create: [{ marker: 1, ...place, hash: sha256Of('a quote') }] },
      },
    });
    return { ...owner, names: { ...owner.names, [runId]: 'run' }, runId };
  }

  /** The person of an assistant in a session instead of with a key. */
  async function session() {
    const owner = await assistant();
    const { organizationId, memberId } = owner;
    const { cookie } = await signIn(app, memberId);
    const { id: sessionId } = await prisma.session.findFirstOrThrow({
      where: { userId: memberId },
    });
    const viewer: Viewer = {
      kind: 'SESSION',
      sessionId,
      userId: memberId,
      isPlatformSupport: false,
      lacksSecondFactor: false,
      isAdmin: false,
      organizationId,
      features: new Set(features),
    };
    return { ...owner, headers: { cookie, 'x-atrium-organization': organizationId }, viewer };
  }

  return {
    ...app,
    url: server.url,
    fixtures: { organization, assistant, conversation, run, session },
    contextOf: ({ viewer }: Sender): Context => ({
      ...app.contextParts,
      origin: server.url,
      requestId: randomUUID(),
      viewer,
      currentViewer: async () => viewer,
    }),
    /** The key may send one more request in this window. */
    async useUp({ viewer, headers }: Sender) {
      if (!('keyId' in viewer)) return;
      await prisma.apiKey.update({ where: { id: viewer.keyId }, data: { limitPerMinute: 1 } });
      app.contextParts.credentialsChanged();
      await fetch(`${server.url}/api/unknown`, { headers });
    },
    async withoutSeats({ viewer }: Sender) {
      await prisma.organization.update({
        where: { id: viewer.organizationId ?? '' },
        data: { seatLimit: 1 },
      });
    },
    /** The assistants of the organization are shared with nobody. */
    async withoutAccess({ viewer }: Sender) {
      await prisma.assistantShare.deleteMany({
        where: { organizationId: viewer.organizationId ?? '' },
      });
      app.contextParts.credentialsChanged();
    },
    async withoutFeatures({ viewer }: Sender) {
      await prisma.organization.update({
        where: { id: viewer.organizationId ?? '' },
        data: { features: [] },
      });
      app.contextParts.credentialsChanged();
    },
    async close() {
      server.close();
      await app.close();
      vault.client.close();
      await vault.stop();
    },
  };
}

export type ParityApp = Awaited<ReturnType<typeof parityApp>>;
type Fixtures = ParityApp['fixtures'];
export type OrganizationFixture = Awaited<ReturnType<Fixtures['organization']>>;
export type AssistantFixture = Awaited<ReturnType<Fixtures['assistant']>>;
export type RunFixture = Awaited<ReturnType<Fixtures['run']>>;
export type ConversationFixture = Awaited<ReturnType<Fixtures['conversation']>>;
