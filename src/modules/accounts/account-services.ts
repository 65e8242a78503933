import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { KnownDevices } from './known-device.ts';
import type { SecretCipher } from './second-factor/secret-cipher.ts';
import type { SignInOptions } from './sign-in-options.ts';

/** What the calls below /auth/ work with. */
export type AccountServices = {
  database: Database;
  limits: Limits;
  clock: Clock;
  log: Log;
  mail: Mailer;
  options: SignInOptions;
  devices: KnownDevices;
  secretCipher: SecretCipher;
  /** To be called after keys have ended with their person's credentials. */
  credentialsChanged: () => void;
  /** The address under which people reach Atrium, for the links in mails. */
  originOf: (request: Request) => string;
};
