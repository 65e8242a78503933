import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';

const mailsAnHour = 5;

/** Counts a mail that somebody asks for, whether or not there is an account, so that nobody’s mailbox is flooded. */
export async function takeMail(email: string, limits: Limits): Promise<void> {
  const { exceeded } = await limits.take(`mail:${email}`, mailsAnHour, 3_600);
  if (exceeded) throw new AppError('RATE_LIMITED', 'Too many mails were asked for. Please look into the mailbox, or try again in an hour');
}
