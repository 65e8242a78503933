import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network-of.ts';
import { clientHeader } from './client-header.ts';

const toOneAnHour = 5;
const fromOneAnHour = 100;

/**
 * Counts a mail that somebody asks for, whether or not there is an account: so that nobody’s mailbox is flooded, and nobody
 * sends mail to half the world from here.
 */
export async function takeMail(email: string, { headers }: Request, limits: Limits): Promise<void> {
  const asker = networkOf(headers.get(clientHeader) ?? undefined);
  const taken = await Promise.all([limits.take(`mail:${email}`, toOneAnHour, 3_600), limits.take(`mail-from:${asker}`, fromOneAnHour, 3_600)]);
  if (taken.some(({ exceeded }) => exceeded)) {
    throw new AppError('RATE_LIMITED', 'Too many mails were asked for. Please look into the mailbox, or try again in an hour');
  }
}
