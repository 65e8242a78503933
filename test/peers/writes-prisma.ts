import { randomBytes } from 'node:crypto';
import { BillingStatus, type Link, Prisma } from '../../src/platform/database/generated/client.ts';
import { newId } from '../../src/platform/ids.ts';
import { createPeer, listen } from './create-peer.ts';
import { HttpError } from './errors.ts';
import { guard } from './guard.ts';
import { findKey, prisma } from './prisma-client.ts';
import { memberFields, userBodyOf } from './prisma-members.ts';
import {
  campaignAnswer,
  createdUserAnswer,
  linkAnswer,
  redemptionAnswer,
  successAnswer,
  teamAnswer,
} from './schemas.ts';

// Writes, hand-written with Fastify and Prisma. Each creates its audit entry in the same
// transaction.
const app = createPeer();
const name = { type: 'string', minLength: 1, maxLength: 200 } as const;

const createAuditEntry = (
  organizationId: string,
  requestId: string,
  action: string,
  targetType: string,
  targetId: string,
  changes: Prisma.InputJsonObject,
) => {
  const at = new Date();
  const data = {
    id: newId(at.getTime()),
    at,
    organizationId,
    actorKind: 'ORGANIZATION_KEY' as const,
    action,
    targetType,
    targetId,
    changes,
    requestId,
  };
  return prisma.auditEntry.create({ data, select: { id: true } });
};

const linkBodyOf = (link: Link, host: string) => ({
  ...link,
  url: `http://${host}/auth?sponsored=${link.token}`,
  hasPassword: link.passwordHash !== null,
  completedRedemptionsCount: link.completedRedemptions,
});

app.register(async (users) => {
  users.addHook('onRequest', guard(findKey));
  const schema = {
    body: { type: 'object', required: ['name'], properties: { name }, additionalProperties: false },
    response: { 200: teamAnswer },
  };
  users.post<{ Body: { name: string } }>(
    '/api/user-management/v1/teams',
    { schema },
    async ({ id: requestId, organizationId, body }) => {
      const id = newId();
      const data = {
        id,
        organizationId,
        name: body.name.trim(),
        nameKey: body.name.trim().normalize('NFKC').toLowerCase(),
        createdAt: new Date(),
      };
      try {
        const [team] = await prisma.$transaction([
          prisma.team.create({ data, select: { id: true, name: true, isDefault: true } }),
          createAuditEntry(organizationId, requestId, 'create-team', 'Team', id, {
            name: data.name,
          }),
        ]);
        return {
          status: 'success',
          team: {
            ...team,
            memberCount: await prisma.teamMembership.count({ where: { teamId: id } }),
          },
        };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
          throw new HttpError(409, 'A team of this name exists already');
        throw error;
      }
    },
  );
  const email = { type: 'string', format: 'email', maxLength: 254 } as const;
  const newUser = {
    type: 'object',
    required: ['email'],
    properties: { email, firstName: name, lastName: name },
    additionalProperties: false,
  };
  type NewUser = { email: string; firstName?: string; lastName?: string };
  users.post<{ Body: NewUser }>(
    '/api/user-management/v1/users',
    { schema: { body: newUser, response: { 200: createdUserAnswer } } },
    async ({
      id: requestId,
      organizationId,
      body: { email: enteredEmail, firstName = '', lastName = '' },
    }) => {
      const address = enteredEmail.toLowerCase();
      const [existingUser, organization] = await Promise.all([
        prisma.user.findUnique({ where: { email: address }, select: { id: true } }),
        prisma.organization.findUniqueOrThrow({
          where: { id: organizationId },
          select: { seatLimit: true, teams: { where: { isDefault: true }, select: { id: true } } },
        }),
      ]);
      if (
        organization.seatLimit !== null &&
        (await prisma.membership.count({ where: { organizationId } })) >= organization.seatLimit
      )
        throw new HttpError(409, 'All seats are taken');
      const createdAt = new Date();
      const id = existingUser?.id ?? newId();
      const account = { id, email: address, firstName, lastName, createdAt };
      const membershipKey = { organizationId, userId: id };
      const [teamId = ''] = organization.teams.map((team) => team.id);
      try {
        await prisma.$transaction([
          ...(existingUser ? [] : [prisma.user.create({ data: account, select: { id: true } })]),
          prisma.membership.create({
            data: { ...membershipKey, userCreatedAt: createdAt, createdAt },
            select: { userId: true },
          }),
          prisma.teamMembership.create({
            data: { ...membershipKey, teamId, createdAt },
            select: { userId: true },
          }),
          createAuditEntry(organizationId, requestId, 'create-user', 'User', id, {
            email: address,
            isNewUser: !existingUser,
          }),
        ]);
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
          throw new HttpError(409, 'The user is already a member');
        throw error;
      }
      const member = await prisma.membership.findUniqueOrThrow({
        where: { organizationId_userId: membershipKey },
        select: memberFields,
      });
      return { status: 'success', user: userBodyOf(member), isNewUser: !existingUser };
    },
  );
});

app.register(async (partners) => {
  partners.addHook(
    'onRequest',
    guard(findKey, {
      kind: 'ORGANIZATION',
      feature: 'partnerSponsorship',
      name: 'Partner Sponsorship',
    }),
  );
  type CampaignRequest = { Params: { campaignId: string }; Body: { name?: string } };
  const body = { type: 'object', properties: { name }, additionalProperties: false };
  partners.patch<CampaignRequest>(
    '/api/sponsorship/v1/campaigns/:campaignId',
    { schema: { body, response: { 200: campaignAnswer } } },
    async ({ id: requestId, organizationId, params: { campaignId }, body: terms }) => {
      const where = { id_organizationId: { id: campaignId, organizationId } };
      try {
        const [campaign] = await prisma.$transaction([
          prisma.campaign.update({ where, data: { ...terms, updatedAt: new Date() } }),
          createAuditEntry(
            organizationId,
            requestId,
            'update-campaign',
            'Campaign',
            campaignId,
            terms,
          ),
        ]);
        const {
          pricingModel: model,
          pricingAmountEur,
          pricingUnit: unit,
          completedRedemptions,
          ...fields
        } = campaign;
        const reservedRedemptionsCount = await prisma.reservation.count({
          where: { campaignId, expiresAt: { gt: new Date() } },
        });
        const pricing = model && { model, amountEur: Number(pricingAmountEur), unit };
        return {
          status: 'success',
          campaign: {
            ...fields,
            pricing,
            completedRedemptionsCount: completedRedemptions,
            reservedRedemptionsCount,
          },
        };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025')
          throw new HttpError(404, 'Campaign not found');
        throw error;
      }
    },
  );
  partners.post<CampaignRequest>(
    '/api/sponsorship/v1/campaigns/:campaignId/links',
    { schema: { body: { ...body, required: ['name'] }, response: { 200: linkAnswer } } },
    async ({
      id: requestId,
      host,
      organizationId,
      params: { campaignId },
      body: { name: linkName = '' },
    }) => {
      const id = newId();
      const data = {
        id,
        campaignId,
        organizationId,
        name: linkName,
        token: randomBytes(16).toString('hex'),
        createdAt: new Date(),
      };
      try {
        const [link] = await prisma.$transaction([
          prisma.link.create({ data }),
          createAuditEntry(organizationId, requestId, 'create-link', 'Link', id, {
            campaignId,
            name: linkName,
            hasPassword: false,
          }),
        ]);
        return { status: 'success', link: linkBodyOf(link, host) };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003')
          throw new HttpError(404, 'Campaign not found');
        throw error;
      }
    },
  );
  partners.patch<{ Params: { linkId: string }; Body: { name?: string } }>(
    '/api/sponsorship/v1/links/:linkId',
    { schema: { body, response: { 200: linkAnswer } } },
    async ({ id: requestId, host, organizationId, params: { linkId }, body: changes }) => {
      try {
        const [link] = await prisma.$transaction([
          prisma.link.update({ where: { id: linkId, organizationId }, data: changes }),
          createAuditEntry(organizationId, requestId, 'update-link', 'Link', linkId, changes),
        ]);
        return { status: 'success', link: linkBodyOf(link, host) };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025')
          throw new HttpError(404, 'Link not found');
        throw error;
      }
    },
  );

  type RedemptionRequest<Body> = { Params: { redemptionId: string }; Body: Body };
  const extension = {
    type: 'object',
    required: ['newSponsoredUntil'],
    properties: {
      newSponsoredUntil: { type: 'string', format: 'date-time' },
      reason: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
  };
  partners.patch<RedemptionRequest<{ newSponsoredUntil: string; reason?: string }>>(
    '/api/sponsorship/v1/redemptions/:redemptionId/extend',
    { schema: { body: extension, response: { 200: redemptionAnswer } } },
    async ({
      id: requestId,
      organizationId,
      params: { redemptionId: id },
      body: { newSponsoredUntil, reason },
    }) => {
      const newEnd = new Date(newSponsoredUntil);
      const before = await prisma.redemption.findUnique({
        where: { id, organizationId },
        select: { sponsoredUntil: true, sponsoredOrganizationId: true },
      });
      if (!before) throw new HttpError(404, 'Redemption not found');
      const { sponsoredUntil } = before;
      if (newEnd <= sponsoredUntil)
        throw new HttpError(
          400,
          'newSponsoredUntil must be later than the current end of the sponsorship',
        );
      const reasonField = reason === undefined ? {} : { extensionReason: reason };
      const change = {
        sponsoredUntil: { from: sponsoredUntil.toISOString(), to: newEnd.toISOString() },
        ...reasonField,
      };
      try {
        const [extended] = await prisma.$transaction([
          prisma.redemption.update({
            where: { id, organizationId, sponsoredUntil },
            data: { sponsoredUntil: newEnd, extendedUntil: newEnd, ...reasonField },
            include: {
              campaign: { select: { name: true } },
              link: { select: { name: true, token: true } },
              user: { select: { email: true } },
              sponsoredOrganization: { select: { name: true } },
            },
          }),
          prisma.organization.update({
            where: { id: before.sponsoredOrganizationId },
            data: { sponsoredUntil: newEnd },
            select: { id: true },
          }),
          createAuditEntry(
            organizationId,
            requestId,
            'extend-redemption',
            'Redemption',
            id,
            change,
          ),
        ]);
        const {
          pricingModel: model,
          pricingAmountEur,
          pricingUnit: unit,
          campaign,
          link,
          user,
          sponsoredOrganization,
          ...fields
        } = extended;
        const names = {
          organizationName: sponsoredOrganization.name,
          userEmail: user?.email ?? null,
          linkName: link.name,
        };
        const redemption = {
          ...{ ...fields, ...names, campaignName: campaign.name, linkToken: link.token },
          pricing: model && { model, amountEur: Number(pricingAmountEur), unit },
          billingAmount: fields.billingAmount && Number(fields.billingAmount),
        };
        return { status: 'success', redemption };
      } catch (error) {
        if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025')
          throw new HttpError(409, 'Somebody else extended it');
        throw error;
      }
    },
  );

  const billing = {
    type: 'object',
    required: ['billingStatus'],
    properties: {
      billingStatus: { enum: Object.values(BillingStatus) },
      billingAmount: { type: 'number', minimum: 0 },
      billingBatchId: { type: 'string', minLength: 1, maxLength: 200 },
    },
    additionalProperties: false,
  };
  partners.patch<
    RedemptionRequest<{
      billingStatus: BillingStatus;
      billingAmount?: number;
      billingBatchId?: string;
    }>
  >(
    '/api/sponsorship/v1/redemptions/:redemptionId/billing',
    { schema: { body: billing, response: { 200: successAnswer } } },
    async ({ id: requestId, organizationId, params: { redemptionId: id }, body: input }) => {
      const select = {
        billingStatus: true,
        billedAt: true,
        billingAmount: true,
        billingBatchId: true,
      };
      const before = await prisma.redemption.findUnique({ where: { id, organizationId }, select });
      if (!before) throw new HttpError(404, 'Redemption not found');
      const at = new Date();
      const {
        billingStatus: status,
        billingAmount: amount = before.billingAmount,
        billingBatchId,
      } = input;
      const batchId = status === 'UNBILLED' ? null : (billingBatchId ?? before.billingBatchId);
      const billedAt =
        status === 'UNBILLED'
          ? null
          : status === 'BILLED'
            ? (before.billedAt ?? at)
            : before.billedAt;
      const fields = { status, amount, batchId, statusBefore: before.billingStatus };
      await prisma.$transaction([
        prisma.redemption.update({
          where: { id, organizationId },
          data: { billingStatus: status, billingAmount: amount, billingBatchId: batchId, billedAt },
          select: { id: true },
        }),
        prisma.billingChange.create({
          data: { ...fields, at, redemptionId: id, organizationId },
          select: { id: true },
        }),
        createAuditEntry(organizationId, requestId, 'set-redemption-billing', 'Redemption', id, {
          ...fields,
          amount: amount && Number(amount),
        }),
      ]);
      return { status: 'success', success: true };
    },
  );
});

await listen(app);
