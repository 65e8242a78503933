import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { createAccount } from './create-account.ts';
import { deadLink } from './refusals.ts';
import { readSecret, spendSecret } from './secret-link.ts';
import { setPassword } from './set-password.ts';

const newAccount = z.object({ email: z.string(), firstName: z.string(), lastName: z.string(), passwordHash: z.string(), returnPath: z.string() });
const ownedAddress = z.object({ userId: z.string(), email: z.string(), returnPath: z.string() });

type Proven = { userId: string; returnPath: string };

type Parts = { database: Database; clock: Clock };

/** Whoever holds the secret of a mail can read the mailbox: its address is theirs, and with it the account, which is made now if it was waiting for this. */
export async function proveAddress(secret: string, parts: Parts): Promise<Proven> {
  try {
    return await prove(secret, parts);
  } catch (error) {
    // Another link for the same address made the account in the same moment: now it exists.
    if (uniqueViolation(error)) return prove(secret, parts);
    throw error;
  }
}

function prove(secret: string, { database, clock }: Parts): Promise<Proven> {
  return inTransaction(database, async (tx) => {
    const at = clock();
    const owned = await readSecret('verify-address', secret, at, tx);
    const waiting = owned === undefined ? await readSecret('sign-up', secret, at, tx) : undefined;
    const spent = await spendSecret(owned === undefined ? 'sign-up' : 'verify-address', secret, tx);
    if (spent && owned !== undefined) return confirm(ownedAddress.parse(JSON.parse(owned)), tx);
    if (spent && waiting !== undefined) return admit(newAccount.parse(JSON.parse(waiting)), at, tx);
    throw deadLink();
  });
}

async function confirm({ userId, email, returnPath }: z.output<typeof ownedAddress>, tx: Prisma.TransactionClient): Promise<Proven> {
  // The account may have another address by now.
  const { count } = await tx.user.updateMany({ where: { id: userId, email }, data: { emailVerified: true } });
  if (count === 0) throw deadLink();
  return { userId, returnPath };
}

async function admit({ returnPath, passwordHash, ...person }: z.output<typeof newAccount>, at: Date, tx: Prisma.TransactionClient): Promise<Proven> {
  const { email, firstName, lastName } = person;
  const select = { id: true, firstName: true, accounts: { where: { providerId: 'credential' }, select: { id: true } } };
  const existing = await tx.user.findUnique({ where: { email }, select });
  if (!existing) {
    const { id } = await createAccount({ ...person, passwordHash, at, emailVerified: true }, tx);
    return { userId: id, returnPath };
  }
  // An organization can have made the account, without a password and perhaps without a name.
  const names = existing.firstName === '' ? { firstName, lastName } : {};
  await tx.user.update({ where: { id: existing.id }, data: { emailVerified: true, ...names }, select: { id: true } });
  if (existing.accounts.length === 0) await setPassword({ userId: existing.id, passwordHash, at }, tx);
  return { userId: existing.id, returnPath };
}
