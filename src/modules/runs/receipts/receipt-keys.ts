import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, unscopedDatabase } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import {
  createSecretCipher,
  type SecretCipher,
} from '../../accounts/second-factor/secret-cipher.ts';
import { type PublicJwk, privateKeyFrom, type SigningKey, thumbprintOf } from './signed-text.ts';

export type PublicReceiptKey = PublicJwk & { kid: string; use: 'sig'; alg: 'EdDSA' };

/** The keys of an installation that sign receipts. */
export type ReceiptKeys = {
  /** The key that signs now. */
  signing(): Promise<SigningKey>;
  /** The public keys of all receipts, newest first, as a JWK set (RFC 7517). */
  published(): Promise<{ keys: PublicReceiptKey[] }>;
};

/** AUTH_SECRET does not decrypt the signing key. Whoever catches this need not log it again. */
export class UndecryptableKey extends AppError {
  constructor() {
    super(
      'UNAVAILABLE',
      'Receipts cannot be signed: AUTH_SECRET has changed since the key was made. The operator makes a new key with npm run receipt:rotate',
    );
  }
}

type KeyRow = { id: string; publicKey: string; encryptedPrivateKey: string | null };
type LoadedKeys = { signing: SigningKey; published: { keys: PublicReceiptKey[] } };
type KeyDependencies = { database: Database; clock: Clock; cipher: SecretCipher };

/** The private keys are encrypted with a key that is not in the database. */
export const createReceiptCipher = (authSecret: string): SecretCipher =>
  createSecretCipher(authSecret, 'receipts');

// A process notices within this time that another one has rotated the key.
const cachedMs = 60_000;

/**
 * Reads the keys from the database, where every process finds the same ones. The first use creates
 * a key. Keys belong to no organization, so they are read unscoped.
 */
export function createReceiptKeys({
  database,
  clock,
  cipher,
  log,
}: KeyDependencies & { log: Pick<Log, 'error'> }): ReceiptKeys {
  let loaded: { keys: Promise<LoadedKeys>; until: number } | undefined;
  let undecryptable: string | undefined;
  const load = async (): Promise<LoadedKeys> => {
    const rows = await readKeys(database);
    const current = rows.find(({ encryptedPrivateKey }) => encryptedPrivateKey !== null);
    if (!current) {
      await addKey({ database, clock, cipher });
      return load();
    }
    const pkcs8 = await cipher.decrypt(current.encryptedPrivateKey ?? '').catch(() => {
      // Once for each key: the audit log needs it every ten seconds.
      if (undecryptable !== current.id)
        log.error(
          { keyId: current.id },
          'AUTH_SECRET does not decrypt the key that signs receipts and the audit log. Set the AUTH_SECRET of before, or run npm run receipt:rotate',
        );
      undecryptable = current.id;
      throw new UndecryptableKey();
    });
    return {
      signing: { id: current.id, privateKey: privateKeyFrom(pkcs8) },
      published: { keys: rows.map(toPublicKey) },
    };
  };
  const keys = (): Promise<LoadedKeys> => {
    const now = performance.now();
    if (loaded && now < loaded.until) return loaded.keys;
    const loading = { keys: load(), until: now + cachedMs };
    loaded = loading;
    loading.keys.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return loading.keys;
  };
  return {
    signing: async () => (await keys()).signing,
    published: async () => (await keys()).published,
  };
}

/**
 * Makes a new key that signs from now on and removes the private half of the key before it. Its
 * public half stays, so that its receipts can be checked.
 */
export function rotateReceiptKey({ database, clock, cipher }: KeyDependencies): Promise<string> {
  return inTransaction(unscopedDatabase(database), async (tx) => {
    const key = await newKey(cipher);
    await tx.sql`
      update receipt_keys set retired_at = ${clock()}, encrypted_private_key = null where retired_at is null`;
    tx.enqueue`
      insert into receipt_keys (id, public_key, encrypted_private_key, created_at)
      values (${key.id}, ${key.publicKey}, ${key.encryptedPrivateKey}, ${clock()})`;
    return key.id;
  });
}

/** The public keys of all receipts, newest first. */
export const readPublicKeys = async (database: Database): Promise<PublicReceiptKey[]> =>
  (await readKeys(database)).map(toPublicKey);

const readKeys = (database: Database): Promise<KeyRow[]> =>
  unscopedDatabase(database).sql<KeyRow>`
    select id, public_key as "publicKey", encrypted_private_key as "encryptedPrivateKey"
    from receipt_keys order by created_at desc, id`;

/** If another process has added a key at the same time, theirs is used. */
async function addKey({ database, clock, cipher }: KeyDependencies): Promise<void> {
  const { id, publicKey, encryptedPrivateKey } = await newKey(cipher);
  await unscopedDatabase(database).sql`
    insert into receipt_keys (id, public_key, encrypted_private_key, created_at)
    values (${id}, ${publicKey}, ${encryptedPrivateKey}, ${clock()})
    on conflict do nothing`;
}

async function newKey(cipher: SecretCipher) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return {
    id: thumbprintOf(jwkOf(x)),
    publicKey: x,
    encryptedPrivateKey: await cipher.encrypt(pkcs8),
  };
}

const jwkOf = (x: string): PublicJwk => ({ kty: 'OKP', crv: 'Ed25519', x });

const toPublicKey = ({ id, publicKey }: KeyRow): PublicReceiptKey => ({
  ...jwkOf(publicKey),
  ...{ kid: id, use: 'sig', alg: 'EdDSA' },
});
