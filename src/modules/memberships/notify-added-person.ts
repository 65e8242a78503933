import type { Context } from '../../graph/context.ts';
import { issueSecret } from '../accounts/secret-link.ts';
import { addedLetter } from './added-letter.ts';

type AddedPerson = { organizationId: string; userId: string; email: string };

const toOneAnHourMax = 5;
const fromOneAnHourMax = 100;
const hourSeconds = 3_600;

/**
 * Mails a person whose account an organization added a link to accept or to leave. The counts are
 * apart from those of sign-in mails: whoever adds and removes somebody again and again must not use
 * up the mails by which the person gets a new password.
 */
export async function notifyAddedPerson(
  { organizationId, userId, email }: AddedPerson,
  {
    database: { unscoped },
    limits,
    mail,
    clock,
    origin,
  }: Pick<Context, 'database' | 'limits' | 'mail' | 'clock' | 'origin'>,
): Promise<void> {
  if (mail.kind === 'none') return;
  const counts = await Promise.all([
    limits.take(`added-mail:${email}`, toOneAnHourMax, hourSeconds),
    limits.take(`added-mail-from:${organizationId}`, fromOneAnHourMax, hourSeconds),
  ]);
  if (counts.some(({ exceeded }) => exceeded)) return;
  const { name } = await unscoped.prisma.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { name: true },
  });
  const secret = await issueSecret(
    'added-membership',
    { userId, organizationId },
    clock(),
    unscoped.prisma,
  );
  await mail.send(addedLetter({ email, organizationName: name, origin, secret }));
}
