import { AppError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network-of.ts';
import type { AccountServices } from './account-services.ts';
import { clientHeader } from './client-header.ts';

const hourSeconds = 3_600;
const ofSenderAnHour = 5;
const ofNetworkAnHour = 100;
const toMailboxAnHour = 20;

type Parts = Pick<AccountServices, 'limits' | 'devices' | 'database' | 'clock'>;

/**
 * Counts a mail that somebody asks for, whether or not there is an account. Each network may ask
 * for five mails to an address and for a hundred mails in all, and all networks together for twenty
 * mails to an address, so that nobody floods a mailbox. A browser that signed in to the account
 * before, and the networks where the account is signed in, have a budget that strangers cannot use
 * up.
 */
export async function takeMail(
  email: string,
  { headers }: Pick<Request, 'headers'>,
  { limits, devices, database, clock }: Parts,
): Promise<void> {
  const network = networkOf(headers.get(clientHeader) ?? undefined);
  const device = devices.deviceOf(email, headers);
  const sender =
    device === undefined ? `mail:${email}:${network}` : `mail-device:${email}:${device}`;
  const taken = await Promise.all([
    limits.take(sender, ofSenderAnHour, hourSeconds),
    limits.take(`mail-from:${network}`, ofNetworkAnHour, hourSeconds),
  ]);
  if (taken.some(({ exceeded }) => exceeded)) throw tooMany();
  if (device !== undefined) return;
  const { exceeded } = await limits.take(`mail-all:${email}`, toMailboxAnHour, hourSeconds);
  if (exceeded && !(await isSignedInFrom({ email, network }, { database, clock }))) throw tooMany();
}

async function isSignedInFrom(
  { email, network }: { email: string; network: string },
  { database, clock }: Pick<Parts, 'database' | 'clock'>,
): Promise<boolean> {
  const rows = await database.sql<{ address: string | null }>`
    select distinct s.ip_address as address from sessions s join users u on u.id = s.user_id
    where u.email = ${email} and s.expires_at > ${clock()} limit 100`;
  return rows.some(({ address }) => address !== null && networkOf(address) === network);
}

const tooMany = () =>
  new AppError(
    'RATE_LIMITED',
    'Too many mails were asked for. Please look into the mailbox, or try again in an hour',
    undefined,
    hourSeconds,
  );
