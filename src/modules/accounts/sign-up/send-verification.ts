import type { Language } from '../../../platform/database/generated/client.ts';
import type { AccountServices } from '../account-services.ts';
import { verificationEmail } from '../emails/emails.ts';
import { issueSecret } from '../secret-link.ts';

type VerificationMail = {
  email: string;
  returnPath: string;
  origin: string;
  /** The language of the page, for an account that has none. */
  pageLanguage: Language | null;
  /**
   * The nonce of the browser in which somebody has just entered the right password. Only that
   * browser may be bound to the link, because in a bound browser the password stays valid.
   */
  nonceHash?: string;
};

/** Sends a confirmation link to the owner of an account whose address is not verified. */
export async function sendVerification(
  { email, returnPath, origin, pageLanguage, nonceHash }: VerificationMail,
  { database, clock, mail }: AccountServices,
): Promise<void> {
  const [user] = await database.sql<{ id: string; language: Language }>`
    select id, coalesce(language, ${pageLanguage}, 'EN') as language from users where email = ${email} and not email_verified`;
  if (!user) return;
  const secret = await issueSecret(
    'verify-address',
    { userId: user.id, email, returnPath, nonceHash },
    clock(),
    database,
  );
  await mail.send(verificationEmail({ to: email, language: user.language, origin, secret }));
}
