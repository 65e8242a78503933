import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/platform/database/database.ts';

/** Inserts rows directly into the tables, for tests of database rules. */
export function rowsIn({ prisma }: Database) {
  return {
    async organization() {
      const id = randomUUID();
      const teamId = randomUUID();
      const teams = {
        create: { id: teamId, name: 'Everyone', nameKey: 'everyone', isDefault: true },
      };
      await prisma.organization.create({ data: { id, slug: id, name: 'An organization', teams } });
      return { id, defaultTeamId: teamId };
    },
    async user() {
      const id = randomUUID();
      return prisma.user.create({ data: { id, email: `${id}@rows.example` } });
    },
    async member(organizationId: string) {
      const user = await this.user();
      await prisma.membership.create({
        data: {
          organizationId,
          userId: user.id,
          userCreatedAt: user.createdAt,
          acceptedAt: user.createdAt,
        },
      });
      return user.id;
    },
    async team(organizationId: string, name: string = randomUUID()) {
      return (
        await prisma.team.create({
          data: { id: randomUUID(), organizationId, name, nameKey: name },
        })
      ).id;
    },
    async userKey(organizationId: string, userId: string) {
      return this.key({ organizationId, userId, kind: 'USER' });
    },
    async organizationKey(organizationId: string) {
      return this.key({ organizationId, userId: null, kind: 'ORGANIZATION' });
    },
    async key(owner: {
      organizationId: string;
      userId: string | null;
      kind: 'USER' | 'ORGANIZATION';
    }) {
      const hash = crypto.getRandomValues(new Uint8Array(32));
      return (
        await prisma.apiKey.create({
          data: { id: randomUUID(), ...owner, name: 'A key', hash, prefix: 'sk', lastFour: '0000' },
        })
      ).id;
    },
    async auditEntry(organizationId: string) {
      const id = randomUUID();
      await prisma.auditEntry.create({
        data: {
          id,
          organizationId,
          actorKind: 'SYSTEM',
          action: 'test',
          targetType: 'none',
          targetId: 'none',
          changes: {},
        },
      });
      return id;
    },
  };
}
