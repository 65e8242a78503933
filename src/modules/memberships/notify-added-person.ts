import type { Context } from '../../access/context.ts';
import type { Language } from '../../platform/database/generated/client.ts';
import { issueSecret } from '../accounts/secret-link.ts';
import { addedMembershipEmail } from './added-membership-email.ts';

type NotifyAddedPersonInput = { organizationId: string; userId: string; email: string };

const mailsPerRecipientMax = 5;
const mailsPerOrganizationMax = 100;
const hourSeconds = 3_600;

/**
 * Sends a person whose account was added a mail with a link to accept or to leave. The hourly
 * limits are separate from those of sign-in mails: an organization that adds and removes a person
 * repeatedly must not use up the mails with which the person resets their password.
 */
export async function notifyAddedPerson(
  { organizationId, userId, email }: NotifyAddedPersonInput,
  {
    database: { unscoped },
    limits,
    mail,
    clock,
    origin,
  }: Pick<Context, 'database' | 'limits' | 'mail' | 'clock' | 'origin'>,
): Promise<void> {
  if (mail.kind === 'none') return;
  const allowances = await Promise.all([
    limits.consume(`added-mail:${email}`, mailsPerRecipientMax, hourSeconds),
    limits.consume(`added-mail-from:${organizationId}`, mailsPerOrganizationMax, hourSeconds),
  ]);
  if (allowances.some(({ exceeded }) => exceeded)) return;
  const [added] = await unscoped.sql<{ organizationName: string; language: Language }>`
    select o.name as "organizationName", coalesce(u.language, 'EN') as language
    from organizations o, users u where o.id = ${organizationId} and u.id = ${userId}`;
  if (!added) return;
  const secret = await issueSecret(
    'added-membership',
    { userId, organizationId },
    clock(),
    unscoped,
  );
  await mail.send(addedMembershipEmail({ email, ...added, origin, secret }));
}
