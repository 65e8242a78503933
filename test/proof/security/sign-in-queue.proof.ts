import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { cookiesOf, openSite } from './sign-in-site.ts';

const networkCount = 4;
const strangerCount = 80;

export const proof: Proof = {
  claim:
    'Sign-ins of strangers hardly delay an honest one: the queue has a limit, and networks take turns in it',
  long: true,
  async measure({ log }) {
    const site = await openSite();
    const { email, password } = site;
    const signInOwner = (network: string, cookie?: string) =>
      site.signIn({ email, password }, { network, ...(cookie === undefined ? {} : { cookie }) });
    const attack = () =>
      Array.from({ length: strangerCount }, (_, index) =>
        site.signIn(
          { email: `nobody-${index}@stranger.example`, password: 'not a password' },
          { network: `198.51.100.${index % networkCount}` },
        ),
      );
    try {
      const first = await signInOwner('192.0.2.1');
      const aloneMs = median([
        (await signInOwner('192.0.2.2')).ms,
        (await signInOwner('192.0.2.3')).ms,
        (await signInOwner('192.0.2.4')).ms,
      ]);
      const strangers = attack();
      await pause(50);
      const [fromElsewhere, knownDevice] = await Promise.all([
        signInOwner('192.0.2.5'),
        signInOwner('198.51.100.0', cookiesOf(first)),
      ]);
      const answers = await Promise.all(strangers);
      const refused = answers.filter(({ status }) => status === 503);
      log(
        `alone ${aloneMs.toFixed(0)} ms; with ${strangerCount} strangers ${fromElsewhere.ms.toFixed(0)} ms, with a known device ${knownDevice.ms.toFixed(0)} ms`,
      );
      return [
        {
          figure: 'honest sign-in without load',
          value: Math.round(aloneMs),
          unit: 'ms',
          goal: 'for comparison',
          held: true,
        },
        atMost(15, {
          figure: `honest sign-in during ${strangerCount} sign-ins of strangers, relative to without load`,
          value: Math.round((10 * fromElsewhere.ms) / aloneMs) / 10,
          unit: '',
        }),
        atMost(15, {
          figure: 'the same from the strangers’ network, with a browser that signed in before',
          value: Math.round((10 * knownDevice.ms) / aloneMs) / 10,
          unit: '',
        }),
        exactlyZero(
          'failed honest sign-ins',
          [fromElsewhere, knownDevice].filter(({ status }) => status !== 200).length,
        ),
        atLeast(1, {
          figure: 'sign-ins of strangers refused with 503',
          value: refused.length,
          unit: '',
        }),
        exactlyZero(
          'of those, without Retry-After',
          refused.filter(({ headers }) => !headers.has('retry-after')).length,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};
