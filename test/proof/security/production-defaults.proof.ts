import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { receiveMail } from '../../support/mail.ts';
import { freePorts, run, serverProgram } from '../../support/process.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { openBrowser, strangersPassword } from './browser.ts';

const startMsMax = 120_000;
const production = { ...freePorts, NODE_ENV: 'production', LOG_FORMAT: 'json', HOST: '127.0.0.1' };
const providers = {
  ORIGIN: 'http://127.0.0.1:4000',
  SIGN_IN_PROVIDERS: JSON.stringify({ google: { clientId: 'id', clientSecret: 'secret' } }),
};

export const proof: Proof = {
  claim:
    'In production addresses must be verified unless the operator turns this off, and a start without any way to verify them fails and names the settings',
  long: true,
  async measure({ log }) {
    const mail = await receiveMail();
    try {
      const withNeither = await startAndSignUp({});
      const withMail = await startAndSignUp(mail.settings);
      const withProviders = await startAndSignUp(providers);
      const withVerificationOff = await startAndSignUp({ EMAIL_VERIFICATION: 'off' });
      log(
        `with neither mail nor identity providers: ${withNeither.address ? 'starts' : withNeither.output.trim().split('\n')[0]}`,
      );
      const namedSettings = ['EMAIL_VERIFICATION', 'SMTP_URL', 'SIGN_IN_PROVIDERS'].filter((name) =>
        withNeither.output.includes(name),
      );
      const sessionCount = [withMail, withProviders].filter(({ hasSession }) => hasSession).length;
      const findings: ProofFinding[] = [
        exactlyZero(
          'starts in production without any way to verify addresses',
          withNeither.address ? 1 : 0,
        ),
        atLeast(3, {
          figure: 'of 3 settings, those named in the error of that start',
          value: withNeither.address ? 0 : namedSettings.length,
          unit: '',
        }),
        exactlyZero(
          'of 2 starts (mail; identity providers only), strangers with a session for an unverified address',
          sessionCount,
        ),
        atLeast(1, {
          figure:
            'with identity providers only: sign-ups by password that are refused with a reason',
          value: withProviders.reason ? 1 : 0,
          unit: '',
        }),
        atLeast(1, {
          figure: 'with EMAIL_VERIFICATION=off: warnings at the start',
          value: withVerificationOff.warnings,
          unit: '',
        }),
      ];
      return findings;
    } finally {
      await mail.close();
    }
  },
};

/** Starts the server in production, signs up as a stranger if it starts, and stops it. */
async function startAndSignUp(settings: Record<string, string>) {
  const directory = await migratedDirectory();
  const { child, stdout, stderr, ended } = run(
    serverProgram(),
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
