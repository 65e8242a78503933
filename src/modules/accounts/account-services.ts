import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SecretCipher } from './second-factor/secret-cipher.ts';
import type { KnownDevices } from './sign-in/known-device.ts';
import type { SignInOptions } from './sign-in/sign-in-options.ts';

/** The dependencies of the calls below /auth/. */
export type AccountServices = {
  database: Database;
  limits: RateLimits;
  clock: Clock;
  log: Log;
  mail: Mailer;
  options: SignInOptions;
  devices: KnownDevices;
  secretCipher: SecretCipher;
  /**
   * Call this after the API keys or the credentials of a person were revoked: every process then
   * forgets what it has cached about keys.
   */
  credentialsChanged: () => void;
  /** The origin under which people reach Atrium, for the links in mails. */
  originOf: (request: Request) => string;
};
