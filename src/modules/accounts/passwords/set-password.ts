import type { Prisma } from '../../../platform/database/generated/client.ts';
import { newId } from '../../../platform/ids.ts';

type StoredPasswordHash = { userId: string; passwordHash: string; at: Date };

/** Sets the password of an account that has one already or has none. */
export async function setPassword(
  { userId, passwordHash, at }: StoredPasswordHash,
  { account }: Prisma.TransactionClient,
): Promise<void> {
  const { count } = await account.updateMany({
    where: { userId, providerId: 'credential' },
    data: { password: passwordHash },
  });
  if (count > 0) return;
  await account.create({
    data: {
      id: newId(at.getTime()),
      userId,
      accountId: userId,
      providerId: 'credential',
      password: passwordHash,
      createdAt: at,
    },
    select: { id: true },
  });
}
