import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

/**
 * Encrypts secrets, such as those of authenticator apps, with a key that is not in the database.
 * Hashes do not suffice, because the plain secret is needed to compute codes.
 */
export type SecretCipher = {
  encrypt(text: string): Promise<string>;
  decrypt(encrypted: string): Promise<string>;
};

declare module '../../../access/context.ts' {
  interface Services {
    secretCipher: SecretCipher;
  }
}

export const createSecretCipher = (authSecret: string, use = 'second-factor'): SecretCipher => {
  const key = `${use}:${authSecret}`;
  return {
    encrypt: (data) => symmetricEncrypt({ key, data }),
    decrypt: (data) => symmetricDecrypt({ key, data }),
  };
};
