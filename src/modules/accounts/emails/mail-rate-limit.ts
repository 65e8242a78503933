import { rateLimited } from '../../../platform/errors.ts';
import { networkOf } from '../../../platform/network-of.ts';
import type { AccountServices } from '../account-services.ts';
import { clientHeader } from '../client-header.ts';

const hourSeconds = 3_600;
const perSenderAndHourMax = 5;
const perNetworkAndHourMax = 100;
const perMailboxAndHourMax = 20;

type MailRateLimitDependencies = Pick<AccountServices, 'limits' | 'devices' | 'database' | 'clock'>;

/**
 * Counts a mail that somebody requests, whether or not there is an account. Each network may
 * request five mails to one address and a hundred mails in total, and all networks together twenty
 * mails to one address, so that nobody can flood a mailbox. A browser that signed in to the account
 * before, and the networks in which the account is signed in, have a separate limit that strangers
 * cannot use up.
 */
export async function countRequestedMail(
  email: string,
  { headers }: Pick<Request, 'headers'>,
  { limits, devices, database, clock }: MailRateLimitDependencies,
): Promise<void> {
  const network = networkOf(headers.get(clientHeader) ?? undefined);
  const device = devices.deviceIdOf(email, headers);
  const sender =
    device === undefined ? `mail:${email}:${network}` : `mail-device:${email}:${device}`;
  const counts = await Promise.all([
    limits.consume(sender, perSenderAndHourMax, hourSeconds),
    limits.consume(`mail-from:${network}`, perNetworkAndHourMax, hourSeconds),
  ]);
  if (counts.some(({ exceeded }) => exceeded)) throw tooManyMails();
  if (device !== undefined) return;
  const { exceeded } = await limits.consume(`mail-all:${email}`, perMailboxAndHourMax, hourSeconds);
  if (exceeded && !(await isSignedInFrom({ email, network }, { database, clock })))
    throw tooManyMails();
}

async function isSignedInFrom(
  { email, network }: { email: string; network: string },
  { database, clock }: Pick<MailRateLimitDependencies, 'database' | 'clock'>,
): Promise<boolean> {
  const rows = await database.sql<{ address: string | null }>`
    select distinct s.ip_address as address from sessions s join users u on u.id = s.user_id
    where u.email = ${email} and s.expires_at > ${clock()} limit 100`;
  return rows.some(({ address }) => address !== null && networkOf(address) === network);
}

const tooManyMails = () =>
  rateLimited(
    'Too many mails were asked for. Please look into the mailbox, or try again in an hour',
    hourSeconds,
  );
