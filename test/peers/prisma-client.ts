import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../src/platform/database/generated/client.ts';

// The fastest settings of Prisma: statements are prepared under a name, and errors are not rendered
// in color.
const names = new Map<string, string>();
const statementNameGenerator = ({ sql }: { sql: string }): string => {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
};
const adapter = new PrismaPg(
  { connectionString: process.env['DATABASE_URL'], max: Number(process.env['DATABASE_POOL']) },
  { statementNameGenerator },
);
export const prisma = new PrismaClient({ adapter, errorFormat: 'minimal' });

export async function findKey(hash: Uint8Array<ArrayBuffer>) {
  const key = await prisma.apiKey.findUnique({
    where: { hash, revokedAt: null },
    include: { organization: { select: { features: true } } },
  });
  return key ? { ...key, features: key.organization.features } : undefined;
}
