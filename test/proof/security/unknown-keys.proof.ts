import { setTimeout as pause } from 'node:timers/promises';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSite } from './sign-in-site.ts';

const unknownKeyCount = 400;

export const proof: Proof = {
  claim:
    'Unknown but well-formed keys are limited per network before the database is read, and keys in use are not affected',
  async measure({ log }) {
    const site = await openSite({ ORGANIZATION_KEY_LIMIT: '100000' });
    const listUsers = (key: string) =>
      site.send('/api/user-management/v1/users', undefined, {
        headers: { authorization: `Bearer ${key}` },
      });
    try {
      await listUsers(site.organizationKey);
      const startedAt = performance.now();
      const usedKeyStatuses: number[] = [];
      const answers = [];
      for (let sentCount = 0; sentCount < unknownKeyCount; sentCount += 20) {
        const round = Array.from({ length: 20 }, () => listUsers(generateKey('ORGANIZATION').key));
        usedKeyStatuses.push((await listUsers(site.organizationKey)).status);
        answers.push(...(await Promise.all(round)));
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const lookedUp = answers.filter(({ status }) => status === 401).length;
      const refused = answers.filter(({ status }) => status === 429);
      log(
        `${unknownKeyCount} unknown keys in ${seconds.toFixed(1)} s: ${lookedUp} looked up, ${refused.length} refused`,
      );
      const repeatedKey = generateKey('ORGANIZATION').key;
      let firstAnswer = await listUsers(repeatedKey);
      // The limit still allows two lookups of unknown keys a second.
      for (let tries = 0; firstAnswer.status === 429 && tries < 40; tries += 1) {
        await pause(100);
        firstAnswer = await listUsers(repeatedKey);
      }
      const repeated = await Promise.all(Array.from({ length: 100 }, () => listUsers(repeatedKey)));
      return [
        atMost(Math.ceil(60 + 2 * (seconds + 2)), {
          figure: `of ${unknownKeyCount} unknown keys from one network, those looked up in the database`,
          value: lookedUp,
          unit: '',
        }),
        atLeast(1, {
          figure: 'of those, refused with 429 before a lookup',
          value: refused.length,
          unit: '',
        }),
        exactlyZero(
          'of those, without Retry-After',
          refused.filter(({ headers }) => !headers.has('retry-after')).length,
        ),
        exactlyZero(
          `of ${usedKeyStatuses.length} requests with a key in use from the same network, failed ones`,
          usedKeyStatuses.filter((status) => status !== 200).length,
        ),
        exactlyZero(
          'of 100 repetitions of an unknown key, answers other than 401',
          repeated.filter(({ status }) => status !== 401).length,
        ),
      ];
    } finally {
      await site.close();
    }
  },
};
