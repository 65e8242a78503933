import { newId } from '../../../src/platform/ids.ts';
import { atMost } from '../../bench/goals.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { receiveMail } from '../../support/mail.ts';
import { startVaultServers } from '../../support/vault-servers.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import {
  graphSlots,
  otherSlots,
  type RequestSlot,
  restSlots,
  type ValueKind,
} from './request-slots.ts';
import { idsByTable } from './rows-of-tenant.ts';
import { createTenant, noCredentials, type Tenant, type TestCaller } from './tenants.ts';
import {
  collectSamples,
  compareSamples,
  createRandom,
  type SampleGroup,
  type TimedRequest,
  type TimingComparison,
} from './timing-samples.ts';
import { secretProbes } from './timing-secrets.ts';
import { sendAs } from './try-slots.ts';

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
 * The time of an answer must not reveal whether another tenant has such an object, or whether a
 * secret exists. Each slot is requested some thousand times with existing and with unknown values.
 * A difference above the limit is measured again with three times as many requests before it
 * counts.
 */
export const proof: Proof = {
  claim: 'Answers take the same time for ids and secrets of other tenants as for unknown ones',
  long: true,
  async measure({ quick, seed, log }) {
    const rounds = quick ? 100 : 1_000;
    // With Redis the applications would share their limits, and the limit of mails would be
    // reached.
    delete process.env['TEST_REDIS_URL'];
    const mail = await receiveMail();
    const parts = await startVaultServers();
    const app = await testApp({ ...settings, ...mail.settings }, { vault: parts.client });
    app.startProcessing();
    try {
      const tenants: Tenant[] = [];
      for (let index = 0; index < tenantCount; index += 1)
        tenants.push(await createTenant(app, `foreign${index}`, 'a text of a foreign tenant'));
      const ownTenant = await createTenant(app, 'own', 'a text of the own tenant');
      const random = createRandom(seed);
      const results: { where: string; result: TimingComparison }[] = [];
      const measure = async (
        where: string,
        count: number,
        sendTimed: TimedRequest,
        prepare?: () => Promise<void>,
      ) => {
        let result = compareSamples(
          await collectSamples(count, random, sendTimed, prepare),
          random,
        );
        if (result.ratio > 1)
          result = compareSamples(
            await collectSamples(3 * count, random, sendTimed, prepare),
            random,
          );
        results.push({ where, result });
        if (result.ratio > 1) log(`${where}: ${formatComparison(result)}`);
      };

      const ownIds = await firstIds(app, ownTenant);
      const foreignIds = await Promise.all(tenants.map((tenant) => firstIds(app, tenant)));
      const slots = [...restSlots(ownIds), ...graphSlots(ownIds), ...otherSlots(ownIds)].filter(
        isMeasured,
      );
      for (const slot of slots) {
        const caller = await findAuthorizedCaller(app, ownTenant, slot);
        const values = valuesFor(foreignIds);
        await measure(
          slot.where,
          rounds,
          async (group, round) =>
            void (await sendAs(
              app,
              caller,
              slot.request((kind) => values(group, kind, round)),
            )),
        );
      }
      log(`${slots.length} request positions`);
      const secrets = await secretProbes(app, tenants[0] ?? ownTenant);
      for (const { where, rounds: roundsFor, send, prepare } of secrets)
        await measure(where, roundsFor(rounds), send, prepare);
      log(`${secrets.length} secrets`);

      results.sort((a, b) => b.result.ratio - a.result.ratio);
      for (const { where, result } of results.slice(0, 12))
        log(`${where}: ${formatComparison(result)}`);
      const overLimit = results.filter(({ result }) => result.ratio > 1);
      const secretResults = results.filter(({ where }) =>
        secrets.some((secret) => secret.where === where),
      );
      return [
        atMost(1, {
          figure: 'largest time difference of ids, relative to three times the noise or 0.2 ms',
          value: highestRatio(results.filter((entry) => !secretResults.includes(entry))),
          unit: '',
        }),
        atMost(1, {
          figure:
            'largest time difference of keys, tokens and addresses, relative to three times the noise or 0.2 ms',
          value: highestRatio(secretResults),
          unit: '',
        }),
        exactlyZero(
          `of ${results.length} request positions and secrets, those whose time reveals existence`,
          overLimit.length,
        ),
      ];
    } finally {
      await app.close();
      await parts.close();
      await mail.close();
    }
  },
};

const highestRatio = (measured: { result: TimingComparison }[]) =>
  Math.round(100 * Math.max(...measured.map(({ result }) => result.ratio))) / 100;

const formatComparison = ({
  quartile,
  medianMs,
  differenceMs,
  noiseMs,
  limitMs,
  ratio,
}: TimingComparison) =>
  `${ratio.toFixed(2)} of the limit; median ${medianMs.toFixed(2)} ms; at ${quartile} %: difference ${differenceMs.toFixed(3)}, noise ${noiseMs.toFixed(3)}, limit ${limitMs.toFixed(3)} ms`;

// Sign-in calls have limits and are measured among the secrets. The other excluded addresses use no
// id.
const isMeasured = ({ where, kinds }: RequestSlot) =>
  !/\/auth|metrics|livez|readyz|openapi|docs|^GET \/$|setup/.test(where) &&
  !kinds.includes('search');

async function firstIds(
  { database }: TestApp,
  { organizationId }: Tenant,
): Promise<(kind: ValueKind) => string> {
  const ids = await idsByTable(database.prisma, organizationId);
  const [{ email = '' } = {}] = await database.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${organizationId} and m.role = 'MEMBER'`;
  return (kind) => (kind === 'email' ? email : (ids.get(kind)?.[0] ?? 'a text of the own tenant'));
}

/** Gives each group the same number of different values, so that caches help none of them more. */
function valuesFor(
  foreignIds: readonly ((kind: ValueKind) => string)[],
): (group: SampleGroup, kind: ValueKind, round: number) => string {
  const unknownIds = new Map<string, string>();
  return (group, kind, round) => {
    const index = round % foreignIds.length;
    if (group === 'existing') return foreignIds[index]?.(kind) ?? '';
    const name = `${group} ${index} ${kind}`;
    const value = unknownIds.get(name) ?? (kind === 'email' ? `${newId()}@x.example` : newId());
    unknownIds.set(name, value);
    return value;
  };
}

/**
 * The first caller of the own tenant whom no permission check refuses before the id is looked up.
 */
async function findAuthorizedCaller(
  app: TestApp,
  { callers }: Tenant,
  { request }: RequestSlot,
): Promise<TestCaller> {
  const id = newId();
  for (const caller of callers) {
    const { status, text } = await sendAs(
      app,
      caller,
      request((kind) => (kind === 'email' ? 'a@x.example' : id)),
    );
    if (
      status !== 401 &&
      status !== 403 &&
      !/"code":"(FORBIDDEN|UNAUTHENTICATED|FEATURE_DISABLED)"/.test(text)
    )
      return caller;
  }
  return callers[2] ?? { name: 'no credentials', headers: noCredentials };
}
