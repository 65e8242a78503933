import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { receiveMail } from '../../support/mail.ts';
import { freePorts, run } from '../../support/process.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { openBrowser, strangersPassword } from './people.ts';

const startMsMax = 120_000;
const production = { ...freePorts, NODE_ENV: 'production', LOG_FORMAT: 'json', HOST: '127.0.0.1' };
const providers = {
  ORIGIN: 'http://127.0.0.1:4000',
  SIGN_IN_PROVIDERS: JSON.stringify({ google: { clientId: 'id', clientSecret: 'secret' } }),
};

export const proof: Proof = {
  claim:
    'In production an address must be proven unless the operator says otherwise, and a start that could prove none stops and names the settings',
  long: true,
  async attempt({ say }) {
    const mail = await receiveMail();
    try {
      const bare = await attempt({});
      const mailed = await attempt(mail.settings);
      const provided = await attempt(providers);
      const off = await attempt({ EMAIL_VERIFICATION: 'off' });
      say(
        `with neither mail nor other sites: ${bare.address ? 'starts' : bare.output.trim().split('\n')[0]}`,
      );
      const named = ['EMAIL_VERIFICATION', 'SMTP_URL', 'SIGN_IN_PROVIDERS'].filter((name) =>
        bare.output.includes(name),
      );
      const signedUp = [mailed, provided].filter(({ hasSession }) => hasSession).length;
      const findings: Finding[] = [
        none('starts in production that could prove no address', bare.address ? 1 : 0),
        atLeast(3, {
          figure: 'of 3 settings: named by the message of that start',
          value: bare.address ? 0 : named.length,
          unit: '',
        }),
        none(
          'of 2 starts (mail; other sites only): strangers with a session for an address that they have not proven',
          signedUp,
        ),
        atLeast(1, {
          figure: 'with other sites only: sign-ups by password that are refused with a reason',
          value: provided.reason ? 1 : 0,
          unit: '',
        }),
        atLeast(1, {
          figure: 'with EMAIL_VERIFICATION=off: warnings at the start',
          value: off.warnings,
          unit: '',
        }),
      ];
      return findings;
    } finally {
      await mail.close();
    }
  },
};

/** Starts the program in production, signs up as a stranger if it runs, and ends it. */
async function attempt(settings: Record<string, string>) {
  const directory = await migratedDirectory();
  const { child, stdout, stderr, ended } = run(
    'src/main.ts',
    { ...production, DATA_DIR: directory.path, ...settings },
    ['api'],
  );
  try {
    const lines = () => stdout().split('\n').filter(Boolean);
    const readyLine = () => lines().find((line) => line.includes('"ready":true'));
    for (
      const endsAt = performance.now() + startMsMax;
      performance.now() < endsAt && !readyLine() && child.exitCode === null;
    )
      await pause(50);
    const ready = readyLine();
    const address: string | undefined = ready && JSON.parse(ready).addresses.api;
    const output = stdout() + stderr();
    if (!address) return { output, address, hasSession: false, reason: undefined, warnings: 0 };
    const stranger = openBrowser({ address }, settings['ORIGIN']);
    const { body } = await stranger.signUp('newhire@partner.example', strangersPassword);
    const warnings = lines().filter(
      (line) => line.includes('"warn"') && line.includes('EMAIL_VERIFICATION'),
    ).length;
    return {
      output,
      address,
      hasSession: await stranger.isSignedIn(),
      reason: body['reason'],
      warnings,
    };
  } finally {
    child.kill('SIGKILL');
    await ended;
    directory.remove();
  }
}
