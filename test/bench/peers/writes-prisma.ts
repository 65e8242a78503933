import { randomBytes } from 'node:crypto';
import { Prisma } from '../../../src/platform/database/generated/client.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createPeer, listen } from './door.ts';
import { guard, Refusal } from './guard.ts';
import { findKey, prisma } from './prisma-client.ts';
import { campaignAnswer, linkAnswer, teamAnswer } from './schemas.ts';

// Three writes as one would write them by hand with Fastify and Prisma: each with its line in the audit log, in one transaction.
const app = createPeer((faults) => faults.map(({ instancePath, message }) => `${instancePath.slice(1)} ${message}`).join('; '));
const name = { type: 'string', minLength: 1, maxLength: 200 } as const;

const entry = (organizationId: string, requestId: string, action: string, targetType: string, targetId: string, changes: Prisma.InputJsonObject) => {
  const at = new Date();
  const data = { id: newId(at.getTime()), at, organizationId, actorKind: 'ORGANIZATION_KEY' as const, action, targetType, targetId, changes, requestId };
  return prisma.auditEntry.create({ data, select: { id: true } });
};

app.register(async (users) => {
  users.addHook('onRequest', guard(findKey));
  const schema = { body: { type: 'object', required: ['name'], properties: { name }, additionalProperties: false }, response: { 200: teamAnswer } };
  users.post<{ Body: { name: string } }>('/api/user-management/v1/teams', { schema }, async ({ id: requestId, organizationId, body }) => {
    const id = newId();
    const data = { id, organizationId, name: body.name.trim(), nameKey: body.name.trim().normalize('NFKC').toLowerCase(), createdAt: new Date() };
    try {
      const [team] = await prisma.$transaction([
        prisma.team.create({ data, select: { id: true, name: true, isDefault: true } }),
        entry(organizationId, requestId, 'create-team', 'Team', id, { name: data.name }),
      ]);
      return { status: 'success', team: { ...team, memberCount: await prisma.teamMembership.count({ where: { teamId: id } }) } };
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw new Refusal(409, 'A team of this name exists already');
      throw error;
    }
  });
});

app.register(async (partners) => {
  partners.addHook('onRequest', guard(findKey, { kind: 'ORGANIZATION', feature: 'partnerSponsorship', name: 'Partner Sponsorship' }));
  type Asked = { Params: { campaignId: string }; Body: { name?: string } };
  const body = { type: 'object', properties: { name }, additionalProperties: false };
  partners.patch<Asked>(
    '/api/sponsorship/v1/campaigns/:campaignId',
    { schema: { body, response: { 200: campaignAnswer } } },
    async ({ id: requestId, organizationId, params: { campaignId }, body: terms }) => {
      const where = { id_organizationId: { id: campaignId, organizationId } };
      try {
        const [campaign] = await prisma.$transaction([
          prisma.campaign.update({ where, data: { ...terms, updatedAt: new Date() } }),
          entry(organizationId, requestId, 'update-campaign', 'Campaign', campaignId, terms),
        ]);
        const { pricingModel: model, pricingAmountEur, pricingUnit: unit, completedRedemptions, ...told } = campaign;
        const reservedRedemptionsCount = await prisma.reservation.count({ where: { campaignId, expiresAt: { gt: new Date() } } });
        const pricing = model && { model, amountEur: Number(pricingAmountEur), unit };
        return { status: 'success', campaign: { ...told, pricing, completedRedemptionsCount: completedRedemptions, reservedRedemptionsCount } };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') throw new Refusal(404, 'Campaign not found');
        throw error;
      }
    },
  );
  partners.post<Asked>(
    '/api/sponsorship/v1/campaigns/:campaignId/links',
    { schema: { body: { ...body, required: ['name'] }, response: { 200: linkAnswer } } },
    async ({ id: requestId, host, organizationId, params: { campaignId }, body: { name: linkName = '' } }) => {
      const id = newId();
      const data = { id, campaignId, organizationId, name: linkName, token: randomBytes(16).toString('hex'), createdAt: new Date() };
      try {
        const [link] = await prisma.$transaction([
          prisma.link.create({ data }),
          entry(organizationId, requestId, 'create-link', 'Link', id, { campaignId, name: linkName, hasPassword: false }),
        ]);
        const url = `http://${host}/auth?sponsored=${link.token}`;
        return { status: 'success', link: { ...link, url, hasPassword: link.passwordHash !== null, completedRedemptionsCount: link.completedRedemptions } };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003') throw new Refusal(404, 'Campaign not found');
        throw error;
      }
    },
  );
});

await listen(app);
