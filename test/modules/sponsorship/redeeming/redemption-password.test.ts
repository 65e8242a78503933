import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setLinkPassword } from '../../../../src/modules/sponsorship/links/set-link-password.ts';
import { checkLinkPassword } from '../../../../src/modules/sponsorship/redeeming/check-link-password.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import { createLimits, type RateLimits } from '../../../../src/platform/limits.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { testDatabase } from '../../../support/database.ts';
import { type Partner, partnerOn, reasonOf } from '../../../support/redemptions.ts';

const password = 'open sesame';
const redisUrl = process.env['TEST_REDIS_URL'] || undefined;

let database: Awaited<ReturnType<typeof testDatabase>>;
let limits: RateLimits;
let partner: Partner;

beforeAll(async () => {
  database = await testDatabase();
  limits = await createLimits({
    redisUrl,
    log: createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }),
  });
  partner = await partnerOn(database);
});
afterAll(async () => {
  await limits.close();
  await database.close();
});

async function linkWithPassword() {
  const campaign = await partner.campaign();
  return partner.link(campaign.id, password);
}

/** Enters a password; returns the grant, or the reason of the refusal. */
async function attempt(
  token: string,
  text: string,
  clientAddress = '192.0.2.1',
  attemptLimits = limits,
) {
  try {
    const { grant } = await checkLinkPassword(
      { token, password: text, clientAddress },
      { ...partner.dependencies, limits: attemptLimits },
    );
    return { grant };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.reason ?? error.code };
    throw error;
  }
}

const attemptWrong = (token: string, count: number, clientAddress?: string) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => attempt(token, `wrong ${index}`, clientAddress)),
  );
const countRefused = (outcomes: { refused?: unknown }[], refused: string) =>
  outcomes.filter((outcome) => outcome.refused === refused).length;

describe('the password of a link', () => {
  it('A link with a password requires it for a reservation, and the page shows that', async () => {
    const { token } = await linkWithPassword();
    expect(await partner.look(token)).toMatchObject({ needsPassword: true });
    expect(await reasonOf(partner.reserve(token))).toBe('PASSWORD_REQUIRED');
    const { grant = null } = await attempt(token, password);
    expect(await partner.look(token, null, grant)).toMatchObject({ needsPassword: false });
    const { reservation } = await partner.reserve(token, { passwordGrant: grant });
    expect(await partner.complete(token, reservation, await partner.person())).toHaveProperty(
      'organizationId',
    );
  });

  it('A text that is longer than any password is refused as a wrong password', async () => {
    const { token } = await linkWithPassword();
    expect(await attempt(token, '\u0301\u0316'.repeat(450_000))).toEqual({
      refused: 'PASSWORD_WRONG',
    });
  });

  it.each(['', 'Open sesame', 'open sesame ', 'open sesam', '*'])(
    'The text %j is refused as a wrong password',
    async (text) => {
      const { token } = await linkWithPassword();
      expect(await attempt(token, text)).toEqual({ refused: 'PASSWORD_WRONG' });
    },
  );

  it('A link without a password accepts reservations without one', async () => {
    const { token } = await partner.link((await partner.campaign()).id);
    expect(await attempt(token, 'anything')).toEqual({ grant: null });
    expect(await partner.reserve(token)).toHaveProperty('reservation');
  });

  it('A redemption without a reservation cannot bypass the password', async () => {
    const { token } = await linkWithPassword();
    expect(await reasonOf(partner.complete(token, 'made up', await partner.person()))).toBe(
      'PASSWORD_REQUIRED',
    );
  });

  it('A password grant is valid for one link only, and only until the password changes', async () => {
    const [firstLink, secondLink] = [await linkWithPassword(), await linkWithPassword()];
    const { grant = null } = await attempt(firstLink.token, password);
    expect(await reasonOf(partner.reserve(secondLink.token, { passwordGrant: grant }))).toBe(
      'PASSWORD_REQUIRED',
    );
    await setLinkPassword({ linkId: firstLink.id, password: 'another one' }, partner.writer);
    expect(await reasonOf(partner.reserve(firstLink.token, { passwordGrant: grant }))).toBe(
      'PASSWORD_REQUIRED',
    );
    await setLinkPassword({ linkId: firstLink.id, password }, partner.writer);
    expect(await reasonOf(partner.reserve(firstLink.token, { passwordGrant: grant }))).toBe(
      'PASSWORD_REQUIRED',
    );
  });

  it('After a change of password a person keeps their reservation, but cannot extend it without the new password', async () => {
    const { id, token } = await linkWithPassword();
    const { grant = null } = await attempt(token, password);
    const { reservation, expiresAt } = await partner.reserve(token, { passwordGrant: grant });
    await setLinkPassword({ linkId: id, password: 'another one' }, partner.writer);
    partner.passTime(60_000);
    expect(await partner.look(token, null, grant, reservation)).toMatchObject({
      needsPassword: false,
      heldUntil: expiresAt.toISOString(),
    });
    expect(await partner.reserve(token, { reservation, passwordGrant: grant })).toEqual({
      reservation,
      expiresAt,
      isRenewed: true,
    });
    expect(await reasonOf(partner.reserve(token, { passwordGrant: grant }))).toBe(
      'PASSWORD_REQUIRED',
    );
  });

  it('No result contains the password of a link or its hash', async () => {
    const { id, token } = await linkWithPassword();
    const { passwordHash } = await database.prisma.link.findUniqueOrThrow({ where: { id } });
    const { grant = null } = await attempt(token, password);
    const view = await partner.look(token, null, grant);
    const reserved = await partner.reserve(token, { passwordGrant: grant });
    const completed = await partner.complete(token, reserved.reservation, await partner.person());
    const output = JSON.stringify([
      grant,
      view,
      reserved,
      completed,
      await attempt(token, 'wrong'),
    ]);
    expect(output).not.toContain(password);
    for (const part of passwordHash?.split(':') ?? []) expect(output).not.toContain(part);
  });
});

describe('password attempts', () => {
  it('An address has ten attempts, even with concurrent requests, and does not use up those of another address', {
    timeout: 60_000,
  }, async () => {
    const { token } = await linkWithPassword();
    const outcomes = await attemptWrong(token, 20, '198.51.100.1');
    expect([
      countRefused(outcomes, 'PASSWORD_WRONG'),
      countRefused(outcomes, 'RATE_LIMITED'),
    ]).toEqual([10, 10]);
    expect(await attempt(token, password, '198.51.100.1')).toEqual({ refused: 'RATE_LIMITED' });
    expect(await attempt(token, password, '198.51.100.2')).toHaveProperty('grant');
  });

  it('Attempts at one link do not use up those at another link', { timeout: 60_000 }, async () => {
    const [firstLink, secondLink] = [await linkWithPassword(), await linkWithPassword()];
    await attemptWrong(firstLink.token, 10, '198.51.100.3');
    expect(await attempt(secondLink.token, password, '198.51.100.3')).toHaveProperty('grant');
  });

  it('All addresses of one IPv6 network share their attempts', { timeout: 60_000 }, async () => {
    const { token } = await linkWithPassword();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        attempt(token, 'wrong', `2001:db8:1:2::${index + 1}`),
      ),
    );
    expect(countRefused(outcomes, 'RATE_LIMITED')).toBe(2);
    expect(await attempt(token, password, '2001:db8:1:3::1')).toHaveProperty('grant');
  });

  it('Attempts with the correct password do not count, so that an office behind one address can sign up', {
    timeout: 60_000,
  }, async () => {
    const { token } = await linkWithPassword();
    for (let person = 0; person < 15; person += 1)
      expect(await attempt(token, password, '198.51.100.4')).toHaveProperty('grant');
  });

  it('A network has new attempts when the window is over', { timeout: 60_000 }, async () => {
    const { token } = await linkWithPassword();
    // The same limits with windows of one second.
    const shortLimits: RateLimits = {
      ...limits,
      consume: (caller, limit) => limits.consume(caller, limit, 1),
    };
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => attempt(token, 'wrong', '198.51.100.5', shortLimits)),
    );
    expect(countRefused(outcomes, 'RATE_LIMITED')).toBeGreaterThan(0);
    await wait(1_100);
    expect(await attempt(token, password, '198.51.100.5', shortLimits)).toHaveProperty('grant');
  });
});
