import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { createKey } from '../api-keys/create-key.ts';
import { recordChange } from '../audit/record-change.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { freeSlug } from '../organizations/slug.ts';
import { claimAddress } from './claim-account.ts';
import { requireStrongPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { validSetupToken } from './setup-token.ts';

type CompleteSetup = {
  token: string;
  organizationName: string;
  firstName: string;
  lastName: string;
  email: string;
  password: string;
};
type SetupParts = { database: Database; clock: Clock; requestId: string };
type Done = { organizationId: string; organizationKey: string };

const features = ['assistantFiles', 'userManagement'];

/**
 * The first organization with its administrator and a key, for whoever holds the link that the
 * first start printed. The link works once.
 */
export async function completeSetup(
  { token, password, ...input }: CompleteSetup,
  parts: SetupParts,
): Promise<Done> {
  const { database, clock } = parts;
  // Hashing takes long, and is not for everybody who calls.
  if (
    !(await database.prisma.verification.findFirst({
      where: validSetupToken(token, clock()),
      select: { id: true },
    }))
  )
    throw refusal();
  requireStrongPassword(password, [
    input.email,
    input.firstName,
    input.lastName,
    input.organizationName,
  ]);
  const passwordHash = await hashPassword(password);
  try {
    return await inTransaction(database, (tx) =>
      setUp({ ...input, token, passwordHash }, parts, tx),
    );
  } catch (error) {
    if (uniqueViolation(error)) throw addressTaken();
    throw error;
  }
}

type SetUp = Omit<CompleteSetup, 'password'> & { passwordHash: string };

async function setUp(
  { token, organizationName: name, email, passwordHash, ...names }: SetUp,
  { clock, requestId }: SetupParts,
  tx: Prisma.TransactionClient,
): Promise<Done> {
  const at = clock();
  // All others with the same token wait here, and then find it gone.
  const { count } = await tx.verification.deleteMany({ where: validSetupToken(token, at) });
  if (count === 0 || (await tx.organization.findFirst({ select: { id: true } }))) throw refusal();
  // The operator vouches for the address. A stranger who signed up with it before does not keep it.
  const administrator = await claimAddress({ email, passwordHash, names, at }, tx);
  if (!administrator) throw addressTaken();
  const slug = await freeSlug(name, tx);
  const { id: organizationId } = await createOrganization(
    { slug, name, features, administrator, at },
    tx,
  );
  const key = { kind: 'ORGANIZATION', name: 'First organization key' } as const;
  const { key: organizationKey } = await createKey(
    { ...key, organizationId, userId: null, createdById: administrator.id, at },
    tx,
  );
  await recordChange(
    tx,
    { organizationId, kind: 'SYSTEM', keyId: null, userId: administrator.id, requestId },
    at,
    {
      action: 'complete-setup',
      targetType: 'Organization',
      targetId: organizationId,
      changes: { slug, name, email },
    },
  );
  return { organizationId, organizationKey };
}

const addressTaken = () =>
  new AppError('CONFLICT', 'There is an account with this e-mail address already');

const refusal = () =>
  new AppError('FORBIDDEN', 'This set-up link was used, has expired, or is not the latest one');
