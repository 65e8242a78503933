import { randomBytes, randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';
import { partnerIn, type TestPartner } from './partner.ts';
import { redeemMany } from './redeem-many.ts';
import { signIn, type TestSession } from './sign-in.ts';

/** Rows of each list. Neighbours share their times and names, so that the id decides their order. */
export const rowsPerList = 7;

const indexes = Array.from({ length: rowsPerList }, (_, index) => index);
const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2) * 1_000);
const nameOf = (index: number) => `${'cba'[index % 3]} Name ${Math.floor(index / 2)}`;

export type ListWorld = {
  partner: TestPartner;
  session: TestSession;
  endpointId: string;
  assistantId: string;
  campaignId: string;
  linkId: string;
  redemptionId: string;
  /** A month whose statement has several rows in every list. */
  statementMonth: string;
  teamId: string;
};

/** An organization with several rows in every list, and its signed-in administrator. */
export async function createListWorld(app: TestApp): Promise<ListWorld> {
  const { prisma } = app.database;
  const partner = await partnerIn(app);
  const organizationId = partner.id;
  const userId = partner.administratorId;
  for (const index of indexes)
    await partner.member(`member${index}@lists.example`, { firstName: nameOf(index) });
  await prisma.team.createMany({
    data: indexes.map((index) => ({
      id: randomUUID(),
      organizationId,
      name: `Team ${index}`,
      nameKey: `team ${index}`,
      createdAt: at(index),
    })),
  });
  const assistants = indexes.map((index) => ({
    id: randomUUID(),
    organizationId,
    name: nameOf(index),
    createdAt: at(index),
  }));
  await prisma.assistant.createMany({ data: assistants });
  await prisma.assistantShare.createMany({
    data: assistants.map(({ id: assistantId }) => ({
      id: randomUUID(),
      assistantId,
      organizationId,
      userId,
      level: 'OWNER' as const,
    })),
  });
  const assistantId = assistants[0]?.id ?? '';
  await prisma.assistantVersion.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), assistantId, organizationId, number: index + 1, name: nameOf(index) },
      ...{ description: '', instructions: '', stepLimit: 5, createdAt: at(index) },
    })),
  });
  await prisma.assistant.update({ where: { id: assistantId }, data: { version: rowsPerList } });
  await prisma.assistantFile.createMany({
    data: indexes.map((index) => ({
      id: randomUUID(),
      assistantId,
      organizationId,
      originalName: nameOf(index),
      mimeType: 'text/plain',
      size: index + 1,
      hash: 'a'.repeat(64),
      storageKey: randomUUID(),
      status: 'COMPLETED' as const,
      createdAt: at(index),
    })),
  });
  const campaigns = indexes.map((index) => ({
    id: randomUUID(),
    organizationId,
    name: nameOf(index),
    durationMonths: 3,
    expiresAt: index < 3 ? null : at(index),
    createdAt: at(index),
  }));
  await prisma.campaign.createMany({ data: campaigns });
  const campaignId = campaigns[0]?.id ?? '';
  const links = indexes.map((index) => ({
    id: randomUUID(),
    campaignId,
    organizationId,
    name: nameOf(index),
    token: randomUUID().replaceAll('-', ''),
    createdAt: at(index),
  }));
  await prisma.link.createMany({ data: links });
  const linkId = links[0]?.id ?? '';
  await redeemMany(app, linkId, indexes.map(nameOf));
  await prisma.redemption.updateMany({
    where: { organizationId },
    data: { sponsoredUntil: new Date(Date.now() + 20 * 86_400_000) },
  });
  const redemption = await prisma.redemption.findFirstOrThrow({ where: { organizationId } });
  // A month in which each campaign has a redemption in a billing batch of its own.
  for (const [index, { id }] of campaigns.entries()) {
    const link = await partner.link(id, { name: nameOf(index) });
    await redeemMany(app, link.id, [nameOf(index)]);
    await prisma.redemption.updateMany({
      where: { linkId: link.id },
      data: {
        ...{ redeemedAt: at(index), billingStatus: 'BILLED', billedAt: at(index) },
        billingBatchId: `INV-${index}`,
      },
    });
  }
  await prisma.billingChange.createMany({
    data: indexes.map((index) => ({
      redemptionId: redemption.id,
      organizationId,
      at: at(index),
      statusBefore: 'UNBILLED' as const,
      status: 'BILLED' as const,
    })),
  });
  await prisma.reservation.createMany({
    data: indexes.map((index) => ({
      id: randomUUID(),
      campaignId,
      organizationId,
      linkId,
      expiresAt: new Date(Date.now() + 600_000 + Math.floor(index / 2) * 1_000),
    })),
  });
  await prisma.campaign.update({
    where: { id: campaignId },
    data: { reservedRedemptions: rowsPerList },
  });
  await prisma.run.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), organizationId, assistantId, userId, model: 'large' },
      ...{
        state: 'COMPLETED' as const,
        assistantVersion: at(0),
        createdAt: at(index),
        endedAt: at(index),
      },
    })),
  });
  await prisma.conversation.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), organizationId, assistantId, userId, title: nameOf(index) },
      ...{ createdAt: at(index), updatedAt: at(index) },
    })),
  });
  const conversation = await prisma.conversation.findFirstOrThrow({ where: { organizationId } });
  await prisma.conversationMessage.createMany({
    data: indexes.map((index) => ({
      ...{ id: `${conversation.id}-${index}`, conversationId: conversation.id, organizationId },
      ...{ position: index + 1, role: 'ASSISTANT' as const, content: [], text: nameOf(index) },
    })),
  });
  await prisma.answerFeedback.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), conversationId: conversation.id, organizationId, assistantId, userId },
      ...{ messageId: `${conversation.id}-${index}`, mark: 'GOOD' as const },
      givenOn: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))),
    })),
  });
  await prisma.notification.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), organizationId, userId, kind: 'BUDGET_REACHED' as const },
      ...{ subjectId: `budget-${index}`, createdAt: at(index) },
    })),
  });
  await prisma.invitation.createMany({
    data: indexes.map((index) => ({
      id: randomUUID(),
      organizationId,
      email: `invited${index}@lists.example`,
      role: 'MEMBER' as const,
      tokenHash: randomBytes(32),
      createdAt: at(index),
      expiresAt: new Date(Date.now() + 600_000 + Math.floor(index / 2) * 1_000),
    })),
  });
  await prisma.linkInvitation.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), linkId, campaignId, organizationId, tokenHash: randomBytes(32) },
      ...{ email: `guest${index}@lists.example`, origin: 'http://atrium.test' },
      language: 'EN' as const,
      createdAt: at(index),
      expiresAt: new Date(Date.now() + 600_000 + Math.floor(index / 2) * 1_000),
    })),
  });
  await prisma.apiKey.createMany({
    data: [...indexes, ...indexes].map((index, position) => ({
      id: randomUUID(),
      organizationId,
      name: nameOf(index),
      hash: randomBytes(32),
      prefix: 'sk_svc_',
      lastFour: '0000',
      createdAt: at(index),
      ...(position < rowsPerList
        ? { kind: 'ORGANIZATION' as const }
        : { kind: 'USER' as const, userId }),
    })),
  });
  await prisma.auditEntry.createMany({
    data: indexes.map((index) => ({
      id: randomUUID(),
      organizationId,
      at: at(index),
      actorKind: 'SYSTEM' as const,
      action: 'create-team',
      targetType: 'Team',
      targetId: partner.defaultTeamId,
      changes: {},
    })),
  });
  await prisma.budget.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), organizationId, scope: 'ORGANIZATION' as const },
      ...{ metric: 'RUNS' as const, period: 'TOTAL' as const, mode: 'WARN' as const },
      ...{ limitAmount: index + 1, periodStart: new Date(0), createdAt: at(index) },
    })),
  });
  const endpoints = indexes.map((index) => ({
    ...{ id: randomUUID(), organizationId, url: 'https://hooks.example.com/', types: [] },
    ...{ encryptedSecret: '', createdAt: at(index) },
  }));
  await prisma.webhookEndpoint.createMany({ data: endpoints });
  const endpointId = endpoints[0]?.id ?? '';
  await prisma.webhookDelivery.createMany({
    data: indexes.map((index) => ({
      ...{ id: randomUUID(), endpointId, organizationId, eventId: randomUUID(), data: {} },
      ...{ eventType: 'TEAM_CREATED', eventAt: at(index), resourceKey: 'Team', nextTryAt: at(0) },
      createdAt: at(index),
    })),
  });
  const session = await signIn(app, userId);
  return {
    endpointId,
    partner,
    session,
    assistantId,
    campaignId,
    linkId,
    redemptionId: redemption.id,
    statementMonth: at(0).toISOString().slice(0, 7),
    teamId: partner.defaultTeamId,
  };
}

type Nodes = { nodes?: { id: string }[] };

/** The id of one object of each type that implements Node, by the name of the type. */
export async function idsOfNodes({
  session,
  endpointId,
  assistantId,
  campaignId,
  linkId,
}: ListWorld): Promise<Record<string, string>> {
  const { data } = await session.graph<Record<string, Nodes & { invitations?: Nodes }>>(`{
    User: users(first: 1) { nodes { id } } Team: teams(first: 1) { nodes { id } }
    Budget: budgets(first: 1) { nodes { id } }
    ApiKey: apiKeys(first: 1) { nodes { id } } Invitation: invitations(first: 1) { nodes { id } }
    AuditEntry: auditEntries(first: 1) { nodes { id } }
    Notification: notifications(first: 1) { nodes { id } }
    Assistant: assistants(first: 1) { nodes { id } } Run: runs(first: 1) { nodes { id } }
    Conversation: conversations(first: 1) { nodes { id } }
    AssistantFeedback: assistantFeedback(assistantId: "${assistantId}", first: 1) { nodes { id } }
    AssistantVersion: assistantVersions(assistantId: "${assistantId}", first: 1) { nodes { id } }
    AssistantFile: assistantFiles(assistantId: "${assistantId}", first: 1) { nodes { id } }
    Campaign: campaigns(first: 1) { nodes { id } }
    Link: links(campaignId: "${campaignId}", first: 1) { nodes { id } }
    LinkInvitation: link(linkId: "${linkId}") { invitations(first: 1) { nodes { id } } }
    WebhookEndpoint: webhookEndpoints(first: 1) { nodes { id } }
    WebhookDelivery: webhookDeliveries(endpointId: "${endpointId}", first: 1) { nodes { id } }
    Redemption: redemptions(first: 1) { nodes { id } } }`);
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([type, { invitations, nodes = invitations?.nodes }]) => [
      ...[type, nodes?.[0]?.id ?? ''],
    ]),
  );
}
