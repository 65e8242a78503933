import { z } from 'zod';
import type { Language } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { preferredLanguage } from '../../../platform/language.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { invalidFields, linkNotValid } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { originOfEvent } from '../client-header.ts';
import { passwordChangedEmail } from '../emails/emails.ts';
import { consumeSecret, deleteSecretsOf, readSecret } from '../secret-link.ts';
import { claimAccount } from '../sign-up/claim-account.ts';
import { passwordRule } from './new-password.ts';
import { hashPassword } from './password.ts';
import { isEasyToGuess } from './password-strength.ts';
import { setPassword } from './set-password.ts';

const linkContent = z.object({ userId: z.string(), returnPath: z.string() });

type PasswordReset = {
  secret: string;
  password: string;
  /**
   * Whether the person's API keys are revoked as well, in every organization. Somebody who knew the
   * old password may have created one.
   */
  revokeKeys: boolean;
  origin: string;
  headers: Headers;
};

/**
 * Sets a new password for the person who has the secret of the mail, which also verifies the
 * address. Ends every session and every other reset link. If the account was unclaimed, everything
 * that anybody else left in it is deleted.
 */
export async function resetPassword(
  { secret, password, revokeKeys, origin, headers }: PasswordReset,
  services: AccountServices,
): Promise<z.output<typeof linkContent>> {
  const { database, clock, mail, credentialsChanged } = services;
  // A hash takes 0.1 s of a core, so the link is checked first.
  const content = await readSecret('reset-password', secret, clock(), database);
  if (content === undefined) throw linkNotValid();
  const { userId, returnPath } = linkContent.parse(JSON.parse(content));
  const [person] = await database.sql<{ email: string; firstName: string; lastName: string }>`
    select email, first_name as "firstName", last_name as "lastName" from users where id = ${userId}`;
  if (!person) throw linkNotValid();
  if (isEasyToGuess(password, Object.values(person)))
    throw invalidFields({ password: passwordRule });
  const passwordHash = await hashPassword(password);
  const pageLanguage = preferredLanguage(headers.get('accept-language'));
  const recipient = await inTransaction(database, async (tx) => {
    if (!(await consumeSecret('reset-password', secret, tx))) throw linkNotValid();
    deleteSecretsOf({ userId }, 'reset-password', tx);
    const at = clock();
    await claimAccount({ userId, at }, tx);
    setPassword({ userId, passwordHash, at }, tx);
    await recordAuthenticationEvent(
      tx,
      { action: 'reset-password', userId, changes: { revokeKeys }, ...originOfEvent(headers) },
      at,
    );
    tx.enqueue`delete from sessions where user_id = ${userId}`;
    if (revokeKeys)
      tx.enqueue`update api_keys set revoked_at = ${at} where user_id = ${userId} and revoked_at is null`;
    const [user] = await tx.commitWith<{ to: string; language: Language }>`
      select email as "to", coalesce(language, ${pageLanguage}, 'EN') as language from users where id = ${userId}`;
    return user;
  });
  credentialsChanged();
  if (mail.kind !== 'none' && recipient)
    await mail.send(passwordChangedEmail({ ...recipient, origin }));
  return { userId, returnPath };
}
