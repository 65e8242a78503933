import type { Prisma } from '../../platform/database/generated/client.ts';
import { newId } from '../../platform/ids.ts';

type SetPassword = { userId: string; passwordHash: string; at: Date };

/** Gives an account this password, whether it had one or not. */
export async function setPassword(
  { userId, passwordHash, at }: SetPassword,
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
