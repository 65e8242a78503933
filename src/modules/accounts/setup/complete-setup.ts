import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { uniqueViolation } from '../../../platform/database/faults.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError } from '../../../platform/errors.ts';
import { createKey } from '../../api-keys/create-key.ts';
import { recordChange } from '../../audit/record-change.ts';
import { createOrganization } from '../../organizations/create-organization.ts';
import { freeSlug } from '../../organizations/slug.ts';
import { requireStrongPassword } from '../passwords/new-password.ts';
import { hashPassword } from '../passwords/password.ts';
import { claimAddress } from '../sign-up/claim-account.ts';
import { validSetupToken } from './setup-token.ts';

type SetupInput = {
  token: string;
  organizationName: string;
  firstName: string;
  lastName: string;
  email: string;
  password: string;
};
type SetupDependencies = { database: Database; clock: Clock; requestId: string };
type SetupResult = { organizationId: string; organizationKey: string };

const features = ['assistantFiles', 'userManagement'];

/**
 * Creates the first organization with its administrator and an API key, for the person who has the
 * link that the first start printed. The link works once.
 */
export async function completeSetup(
  { token, password, ...input }: SetupInput,
  dependencies: SetupDependencies,
): Promise<SetupResult> {
  const { database, clock } = dependencies;
  // A hash takes 0.1 s of a core, so the token is checked first.
  const [stored] = await database.sql`
    select id from verifications where ${validSetupToken(token, clock())}`;
  if (!stored) throw linkNotValid();
  requireStrongPassword(password, [
    input.email,
    input.firstName,
    input.lastName,
    input.organizationName,
  ]);
  const passwordHash = await hashPassword(password);
  try {
    return await inTransaction(database, (tx) =>
      setUp({ ...input, token, passwordHash }, dependencies, tx),
    );
  } catch (error) {
    if (uniqueViolation(error)) throw addressTaken();
    throw error;
  }
}

type HashedSetupInput = Omit<SetupInput, 'password'> & { passwordHash: string };

async function setUp(
  { token, organizationName: name, email, passwordHash, ...names }: HashedSetupInput,
  { clock, requestId }: SetupDependencies,
  tx: Transaction,
): Promise<SetupResult> {
  const at = clock();
  // Concurrent requests with the same token wait here for the row lock and then delete nothing.
  const used = await tx.sql`
    delete from verifications where ${validSetupToken(token, at)} returning id`;
  const organizations = await tx.sql`select id from organizations limit 1`;
  if (used.length === 0 || organizations.length > 0) throw linkNotValid();
  // The operator vouches for the address. If a stranger signed up with it before, the account is
  // claimed.
  const administrator = await claimAddress({ email, passwordHash, names, at }, tx);
  if (!administrator) throw addressTaken();
  const slug = await freeSlug(name, tx);
  const { id: organizationId } = await createOrganization(
    { slug, name, features, administrator, at },
    tx,
  );
  const key = { kind: 'ORGANIZATION', name: 'First organization key' } as const;
  const { key: organizationKey } = createKey(
    { ...key, organizationId, userId: null, createdById: administrator.id, at },
    tx,
  );
  recordChange(
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
  new AppError(
    'CONFLICT',
    'There is an account with this e-mail address already',
    'ACCOUNT_EXISTS',
  );

const linkNotValid = () =>
  new AppError(
    'FORBIDDEN',
    'This set-up link was used, has expired, or is not the latest one',
    'SETUP_LINK_NOT_VALID',
  );
