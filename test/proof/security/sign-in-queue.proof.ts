import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { none, type Proof } from '../proof.ts';
import { cookiesOf, openSite } from './sign-in-site.ts';

const networks = 4;
const signIns = 80;

export const proof: Proof = {
  claim:
    'Sign-ins of strangers do not delay an honest one: the queue is bounded, and networks take turns in it',
  long: true,
  async attempt({ say }) {
    const site = await openSite();
    const { email, password } = site;
    const honest = (network: string, cookie?: string) =>
      site.signIn({ email, password }, { network, ...(cookie === undefined ? {} : { cookie }) });
    const attack = () =>
      Array.from({ length: signIns }, (_, index) =>
        site.signIn(
          { email: `nobody-${index}@stranger.example`, password: 'not a password' },
          { network: `198.51.100.${index % networks}` },
        ),
      );
    try {
      const first = await honest('192.0.2.1');
      const alone = median([
        (await honest('192.0.2.2')).ms,
        (await honest('192.0.2.3')).ms,
        (await honest('192.0.2.4')).ms,
      ]);
      const strangers = attack();
      await pause(50);
      const [fromElsewhere, knownDevice] = await Promise.all([
        honest('192.0.2.5'),
        honest('198.51.100.0', cookiesOf(first)),
      ]);
      const answers = await Promise.all(strangers);
      const refused = answers.filter(({ status }) => status === 503);
      say(
        `alone ${alone.toFixed(0)} ms; beside ${signIns} strangers ${fromElsewhere.ms.toFixed(0)} ms, with a known device ${knownDevice.ms.toFixed(0)} ms`,
      );
      return [
        {
          figure: 'an honest sign-in alone',
          value: Math.round(alone),
          unit: 'ms',
          goal: 'for comparison',
          held: true,
        },
        atMost(15, {
          figure: `an honest sign-in beside ${signIns} of strangers, times alone`,
          value: Math.round((10 * fromElsewhere.ms) / alone) / 10,
          unit: '',
        }),
        atMost(15, {
          figure: 'the same with a browser that signed in before, in the network of the strangers',
          value: Math.round((10 * knownDevice.ms) / alone) / 10,
          unit: '',
        }),
        none(
          'honest sign-ins that failed',
          [fromElsewhere, knownDevice].filter(({ status }) => status !== 200).length,
        ),
        atLeast(1, {
          figure: 'sign-ins of strangers that were refused with 503',
          value: refused.length,
          unit: '',
        }),
        none(
          'of those, without Retry-After',
          refused.filter(({ headers }) => !headers.has('retry-after')).length,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};
