import { verifyLetter } from './letters.ts';
import type { AccountParts } from './parts.ts';
import { issueSecret } from './secret-link.ts';

type SendVerification = { email: string; returnPath: string; origin: string };

/** Sends the owner of an account whose address is not confirmed yet the link that does it. */
export async function sendVerification({ email, returnPath, origin }: SendVerification, { database, clock, mail }: AccountParts): Promise<void> {
  const user = await database.prisma.user.findUnique({ where: { email, emailVerified: false }, select: { id: true } });
  if (!user) return;
  const secret = await issueSecret('verify-address', { userId: user.id, email, returnPath }, clock(), database.prisma);
  await mail.send(verifyLetter({ to: email, origin, secret }));
}
