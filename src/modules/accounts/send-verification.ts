import type { AccountServices } from './account-services.ts';
import { verificationEmail } from './emails.ts';
import { issueSecret } from './secret-link.ts';

type SendVerification = {
  email: string;
  returnPath: string;
  origin: string;
  /**
   * Of the browser that has just shown the right password. Nobody else's browser may be bound to
   * the link: then the password stays.
   */
  nonceHash?: string;
};

/** Sends the owner of an account whose address is not confirmed yet the link that does it. */
export async function sendVerification(
  { email, returnPath, origin, nonceHash }: SendVerification,
  { database, clock, mail }: AccountServices,
): Promise<void> {
  const user = await database.prisma.user.findUnique({
    where: { email, emailVerified: false },
    select: { id: true },
  });
  if (!user) return;
  const secret = await issueSecret(
    'verify-address',
    { userId: user.id, email, returnPath, nonceHash },
    clock(),
    database.prisma,
  );
  await mail.send(verificationEmail({ to: email, origin, secret }));
}
