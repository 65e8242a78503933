import { setTimeout as pause } from 'node:timers/promises';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSite } from './sign-in-site.ts';

const attempts = 400;

export const proof: Proof = {
  claim:
    'Well-formed keys that open nothing are limited by network before the database is read, and keys in use are not',
  async attempt({ say }) {
    const site = await openSite({ ORGANIZATION_KEY_LIMIT: '100000' });
    const list = (key: string) =>
      site.send('/api/user-management/v1/users', undefined, {
        headers: { authorization: `Bearer ${key}` },
      });
    try {
      await list(site.organizationKey);
      const startedAt = performance.now();
      const honest: number[] = [];
      const answers = [];
      for (let sent = 0; sent < attempts; sent += 20) {
        const round = Array.from({ length: 20 }, () => list(generateKey('ORGANIZATION').key));
        honest.push((await list(site.organizationKey)).status);
        answers.push(...(await Promise.all(round)));
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const lookedFor = answers.filter(({ status }) => status === 401).length;
      const refused = answers.filter(({ status }) => status === 429);
      say(
        `${attempts} unknown keys in ${seconds.toFixed(1)} s: ${lookedFor} looked for, ${refused.length} refused`,
      );
      const again = generateKey('ORGANIZATION').key;
      let known = await list(again);
      // Two such keys a second are looked for even now.
      for (let tried = 0; known.status === 429 && tried < 40; tried += 1) {
        await pause(100);
        known = await list(again);
      }
      const repeated = await Promise.all(Array.from({ length: 100 }, () => list(again)));
      return [
        atMost(Math.ceil(60 + 2 * (seconds + 2)), {
          figure: `of ${attempts} unknown keys of one network, those that were looked for in the database`,
          value: lookedFor,
          unit: '',
        }),
        atLeast(1, {
          figure: 'those that were refused before, with 429',
          value: refused.length,
          unit: '',
        }),
        none(
          'of those, without Retry-After',
          refused.filter(({ headers }) => !headers.has('retry-after')).length,
        ),
        none(
          `of ${honest.length} requests with a key in use from the same network, those that failed`,
          honest.filter((status) => status !== 200).length,
        ),
        none(
          'of 100 repetitions of a key that was looked for in vain, those that were not 401',
          repeated.filter(({ status }) => status !== 401).length,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};
