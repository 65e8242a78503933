import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWrongPasswords } from '../../../../src/modules/sponsorship/links/wrong-passwords.ts';
import { checkLinkPassword } from '../../../../src/modules/sponsorship/redeeming/check-link-password.ts';
import { countPasswordAttempt } from '../../../../src/modules/sponsorship/redeeming/password-attempts.ts';
import { createLimits, type RateLimits } from '../../../../src/platform/limits.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { testDatabase } from '../../../support/database.ts';
import { minutes, partnerOn, reasonOf } from '../../../support/redemptions.ts';

let limits: RateLimits;
let links = 0;

beforeAll(async () => {
  limits = await createLimits({ log: createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }) });
});
afterAll(() => limits.close());

function newLink(): string {
  links += 1;
  return `link ${links}`;
}
/** Makes concurrent attempts from these addresses, and returns how many are allowed. */
async function countAllowed(linkId: string, clientAddresses: string[]): Promise<number> {
  const attempts = await Promise.allSettled(
    clientAddresses.map((clientAddress) => countPasswordAttempt({ linkId, clientAddress }, limits)),
  );
  return attempts.filter(({ status }) => status === 'fulfilled').length;
}
const addresses = (count: number, addressOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => addressOf(index));
const hex = (index: number) => index.toString(16);

describe('password attempts at a link', () => {
  it('A /64 has ten password attempts and a /48 has twenty, even with concurrent requests', async () => {
    const linkId = newLink();
    expect(
      await countAllowed(
        linkId,
        addresses(15, () => '2001:db8:1:1::1'),
      ),
    ).toBe(10);
    expect(
      await countAllowed(
        linkId,
        addresses(200, (index) => `2001:db8:1:${hex(index + 2)}::1`),
      ),
    ).toBe(10);
    expect(
      await countAllowed(
        linkId,
        addresses(15, () => '2001:db8:2:1::1'),
      ),
    ).toBe(10);
  });

  it('An IPv4 /24 has twenty password attempts', async () => {
    expect(
      await countAllowed(
        newLink(),
        addresses(100, (index) => `198.51.100.${index}`),
      ),
    ).toBe(20);
  });

  it('Attempts above the limit of a network do not count for the limit of the link', async () => {
    const linkId = newLink();
    await countAllowed(
      linkId,
      addresses(2_000, () => '2001:db8:1::1'),
    );
    expect(
      await countAllowed(
        linkId,
        addresses(10, () => '2001:db8:2::1'),
      ),
    ).toBe(10);
  });

  it('A link accepts a thousand attempts an hour from very many networks, and before that a new network still has its first attempt', async () => {
    const linkId = newLink();
    const attack = addresses(
      600,
      (index) => `2001:db8:${hex(index % 30)}:${hex(Math.floor(index / 30))}::1`,
    );
    expect(await countAllowed(linkId, attack)).toBe(300);
    expect(
      await countAllowed(
        linkId,
        addresses(5, () => '198.51.100.7'),
      ),
    ).toBe(1);
    expect(
      await countAllowed(
        linkId,
        addresses(1_500, (index) => `2001:db9:${hex(index)}::1`),
      ),
    ).toBe(1_000 - 301);
  });

  it('An attempt that is uncounted does not use up the limit', async () => {
    const linkId = newLink();
    for (let count = 0; count < 30; count += 1)
      await (await countPasswordAttempt({ linkId, clientAddress: '192.0.2.1' }, limits))();
    expect(
      await countAllowed(
        linkId,
        addresses(12, () => '192.0.2.1'),
      ),
    ).toBe(10);
  });
});

describe('wrong passwords', () => {
  it('The partner sees the number of wrong passwords of the last hour, without the correct ones', async () => {
    const database = await testDatabase();
    const partner = await partnerOn(database);
    const { id: linkId, token } = await partner.link((await partner.campaign()).id, 'open sesame');
    const attempt = (password: string, index = 0) =>
      reasonOf(
        checkLinkPassword(
          { token, password, clientAddress: `2001:db8:${hex(index)}::1` },
          { ...partner.dependencies, limits },
        ),
      );
    const count = async (organizationId: string = partner.organizationId) =>
      (await countWrongPasswords({ organizationId, linkIds: [linkId] }, partner.dependencies))[0];
    await Promise.all(addresses(6, String).map((_, index) => attempt('wrong', index)));
    expect(await attempt('open sesame')).toHaveProperty('grant');
    partner.passTime(minutes(40));
    await Promise.all(addresses(4, String).map((_, index) => attempt('wrong', index)));
    expect([await count(), await count('another organization')]).toEqual([10, 0]);
    partner.passTime(minutes(20));
    expect(await count()).toBe(4);
    await database.close();
  });
});
