import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';

/** Inserts one redemption per name directly into the tables, for tests that need many. */
export async function redeemMany(
  { database }: TestApp,
  linkId: string,
  names: readonly string[],
): Promise<void> {
  const { campaignId, organizationId } = await database.prisma.link.findUniqueOrThrow({
    where: { id: linkId },
  });
  const [redeemedAt, sponsoredUntil] = [new Date(), new Date(Date.now() + 90 * 86_400_000)];
  const rows = names.map((name) => ({ name, id: randomUUID() }));
  await database.prisma.$transaction([
    database.prisma.user.createMany({
      data: rows.map(({ id }) => ({ id, email: `${id}@redeem.example` })),
    }),
    database.prisma.organization.createMany({
      data: rows.map(({ id, name }) => ({ id, slug: id, name })),
    }),
    database.prisma.team.createMany({
      data: rows.map(({ id }) => ({
        id,
        organizationId: id,
        name: 'Everyone',
        nameKey: 'everyone',
        isDefault: true,
      })),
    }),
    database.prisma.redemption.createMany({
      data: rows.map(({ id }) => ({
        ...{
          id,
          campaignId,
          organizationId,
          linkId,
          userId: id,
          sponsoredOrganizationId: id,
          reservationId: id,
        },
        ...{ durationMonths: 3, redeemedAt, sponsoredUntil },
      })),
    }),
    database.prisma.campaign.update({
      where: { id: campaignId },
      data: { completedRedemptions: { increment: names.length } },
    }),
    database.prisma.link.update({
      where: { id: linkId },
      data: { completedRedemptions: { increment: names.length } },
    }),
  ]);
}
