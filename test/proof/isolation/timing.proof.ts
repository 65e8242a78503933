import { createKey } from '../../../src/modules/api-keys/create-key.ts';
import { newId } from '../../../src/platform/ids.ts';
import { atMost } from '../../bench/goals.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { receiveMail } from '../../support/mail.ts';
import { vaultParts } from '../../support/vault-parts.ts';
import { none, type Proof } from '../proof.ts';
import { graphPlaces, type Kind, otherPlaces, type Place, restPlaces } from './places.ts';
import { idsOf } from './rows-of-tenant.ts';
import { type Caller, furnish, nobody, type Tenant } from './tenants.ts';
import {
  type Ask,
  type Comparison,
  chanceFrom,
  compared,
  type Group,
  sampled,
} from './timing-samples.ts';
import { secretsOf } from './timing-secrets.ts';
import { sent } from './walk.ts';

const settings = {
  ...{
    ORGANIZATION_KEY_LIMIT: '1000000',
    USER_KEY_LIMIT: '1000000',
    ANONYMOUS_LIMIT: '1000000',
    VAULT_ORGANIZATION_LIMIT: '1000000',
    VAULT_PERSON_LIMIT: '1000000',
  },
  ...{
    EMAIL_VERIFICATION: 'required',
    METRICS_TOKEN: 'the-token-of-the-metrics',
    LOG_LEVEL: 'warn',
  },
};
const tenantCount = 3;

/**
 * The time of an answer tells nobody whether there is such a thing for somebody else, or such a
 * secret. Each place of a request is asked some thousands of times for what is theirs and for what
 * is not there; what is too far apart is measured once more, three times as often, before it
 * counts.
 */
export const proof: Proof = {
  claim: 'answers take as long for ids and secrets of others as for those that there are not',
  long: true,
  async attempt({ quick, seed, say }) {
    const rounds = quick ? 100 : 1_000;
    // With a Redis the twins of an application count together, and soon nobody may ask for a mail
    // any more.
    delete process.env['TEST_REDIS_URL'];
    const mail = await receiveMail();
    const parts = await vaultParts();
    const app = await testApp({ ...settings, ...mail.settings }, { vault: parts.client });
    app.startProcessing();
    try {
      const tenants: Tenant[] = [];
      for (let index = 0; index < tenantCount; index += 1)
        tenants.push(await furnish(app, `theirs${index}`, 'a text of theirs'));
      const ours = await furnish(app, 'ours', 'a text of ours');
      const chance = chanceFrom(seed);
      const worst: { where: string; result: Comparison }[] = [];
      const measure = async (
        where: string,
        count: number,
        ask: Ask,
        prepare?: () => Promise<void>,
      ) => {
        let result = compared(await sampled(count, chance, ask, prepare), chance);
        if (result.ratio > 1)
          result = compared(await sampled(3 * count, chance, ask, prepare), chance);
        worst.push({ where, result });
        if (result.ratio > 1) say(`${where}: ${told(result)}`);
      };

      const own = await firstIdsOf(app, ours);
      const theirs = await Promise.all(tenants.map((tenant) => firstIdsOf(app, tenant)));
      const places = [...restPlaces(own), ...graphPlaces(own), ...otherPlaces(own)].filter(
        isMeasured,
      );
      for (const place of places) {
        const caller = await whoComesFarthest(app, ours, place);
        const values = valuesFor(theirs);
        await measure(
          place.where,
          rounds,
          async (group, round) =>
            void (await sent(
              app,
              caller,
              place.ask((kind) => values(group, kind, round)),
            )),
        );
      }
      say(`${places.length} places`);
      const secrets = await secretsOf(app, tenants[0] ?? ours, await revokedKeyOf(app, ours));
      for (const { where, rounds: of, ask, prepare } of secrets)
        await measure(where, of(rounds), ask, prepare);
      say(`${secrets.length} secrets`);

      worst.sort((a, b) => b.result.ratio - a.result.ratio);
      for (const { where, result } of worst.slice(0, 12)) say(`${where}: ${told(result)}`);
      const far = worst.filter(({ result }) => result.ratio > 1);
      const inSecrets = worst.filter(({ where }) =>
        secrets.some((secret) => secret.where === where),
      );
      return [
        atMost(1, {
          figure: 'farthest apart, of three times the noise or 0.2 ms: ids',
          value: worstOf(worst.filter((one) => !inSecrets.includes(one))),
          unit: '',
        }),
        atMost(1, {
          figure: 'farthest apart, of three times the noise or 0.2 ms: keys, tokens, addresses',
          value: worstOf(inSecrets),
          unit: '',
        }),
        none(`of ${worst.length} places and secrets, those whose time tells`, far.length),
      ];
    } finally {
      await app.close();
      await parts.close();
      await mail.close();
    }
  },
};

const worstOf = (measured: { result: Comparison }[]) =>
  Math.round(100 * Math.max(...measured.map(({ result }) => result.ratio))) / 100;

const told = ({ part, medianMs, differenceMs, noiseMs, limitMs, ratio }: Comparison) =>
  `${ratio.toFixed(2)} of the limit; median ${medianMs.toFixed(2)} ms; at ${part} %: apart ${differenceMs.toFixed(3)}, noise ${noiseMs.toFixed(3)}, limit ${limitMs.toFixed(3)} ms`;

// The calls of sign-in are limited, and measured among the secrets; the rest looks at no id.
const isMeasured = ({ where, kinds }: Place) =>
  !/\/auth|metrics|livez|readyz|openapi|docs|^GET \/$|setup/.test(where) &&
  !kinds.includes('search');

async function firstIdsOf(
  { database }: TestApp,
  { organizationId }: Tenant,
): Promise<(kind: Kind) => string> {
  const ids = await idsOf(database.prisma, organizationId);
  const [{ email = '' } = {}] = await database.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${organizationId} and m.role = 'MEMBER'`;
  return (kind) => (kind === 'email' ? email : (ids.get(kind)?.[0] ?? 'a text of ours'));
}

/** As many different values of each group, so that none of them is warmer than the others. */
function valuesFor(
  theirs: readonly ((kind: Kind) => string)[],
): (group: Group, kind: Kind, round: number) => string {
  const nothing = new Map<string, string>();
  return (group, kind, round) => {
    const index = round % theirs.length;
    if (group === 'theirs') return theirs[index]?.(kind) ?? '';
    const name = `${group} ${index} ${kind}`;
    const value = nothing.get(name) ?? (kind === 'email' ? `${newId()}@x.example` : newId());
    nothing.set(name, value);
    return value;
  };
}

/** Of our people the first who is not turned away before anything is looked for. */
async function whoComesFarthest(
  app: TestApp,
  { callers }: Tenant,
  { ask }: Place,
): Promise<Caller> {
  const id = newId();
  for (const caller of callers) {
    const { status, text } = await sent(
      app,
      caller,
      ask((kind) => (kind === 'email' ? 'a@x.example' : id)),
    );
    if (
      status !== 401 &&
      status !== 403 &&
      !/"code":"(FORBIDDEN|UNAUTHENTICATED|FEATURE_DISABLED)"/.test(text)
    )
      return caller;
  }
  return callers[2] ?? { name: 'nobody', headers: nobody };
}

/** A key that opened something once. */
async function revokedKeyOf(app: TestApp, { organizationId }: Tenant): Promise<string> {
  const made = {
    kind: 'ORGANIZATION' as const,
    organizationId,
    userId: null,
    name: 'a key',
    createdById: null,
    at: new Date(),
  };
  const { id, key } = await app.database.prisma.$transaction((tx) => createKey(made, tx));
  await app.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
  return key;
}
