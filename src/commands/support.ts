import { resetSecondFactor } from '../modules/accounts/second-factor/end-second-factors.ts';
import { setPlatformSupport } from '../modules/accounts/set-platform-support.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

const usage =
  'Usage: npm run support -- grant|revoke|reset-second-factor <e-mail> [--trust-address]';
const outcomes = {
  grant: 'now works for the platform',
  revoke: 'no longer works for the platform',
  'reset-second-factor': 'now has no second factor',
};

/**
 * `npm run support -- grant|revoke|reset-second-factor <e-mail> [--trust-address]` needs no
 * authorization of its own: everybody who can run it can also change the database.
 */
async function main(): Promise<void> {
  const [action, email, option] = process.argv.slice(2);
  if (action !== 'grant' && action !== 'revoke' && action !== 'reset-second-factor')
    throw new Error(usage);
  if (email === undefined || (option !== undefined && option !== '--trust-address'))
    throw new Error(usage);
  await withDatabase(prepareProgram(), async (database) => {
    if (action === 'reset-second-factor') await resetSecondFactor({ email }, { database });
    else
      await setPlatformSupport(
        { email, isPlatformSupport: action === 'grant', trustsAddress: option !== undefined },
        { database },
      );
    process.stdout.write(`${email} ${outcomes[action]}\n`);
  });
}

runCommand(main);
