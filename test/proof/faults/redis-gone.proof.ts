import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Goal } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { hasRedisServer, openOwnRedis } from '../../support/own-redis.ts';
import { signIn } from '../../support/sign-in.ts';
import { type Attempt, type Finding, none, type Proof } from '../proof.ts';

type Redis = Awaited<ReturnType<typeof openOwnRedis>>;
type Outage = { name: string; begin(redis: Redis): unknown; end(redis: Redis): unknown };

const outages: Outage[] = [
  { name: 'dead', begin: (redis) => redis.kill(), end: (redis) => redis.start() },
  { name: 'hanging', begin: (redis) => redis.hang(), end: (redis) => redis.goOn() },
];
const limit = 100;
const many = '1000000';
// The client waits so long for an answer, once; what an answer takes besides is on top.
const promised = { slowestMs: 4_000, revokedMs: 1_000, backSeconds: 10, startSeconds: 10 };
const usersPath = '/api/user-management/v1/teams';

export const proof: Proof = {
  claim:
    'without Redis every process counts alone, says so once, keeps nobody waiting, and counts with the others again when it is back',
  long: true,
  async attempt({ quick, say }) {
    if (!hasRedisServer)
      return [{ figure: 'Redis away and back', leftOut: 'no redis-server on this machine' }];
    const redis = await openOwnRedis();
    const one = await testApp({ REDIS_URL: redis.url, USER_KEY_LIMIT: many, LOG_LEVEL: 'info' });
    const other = await one.twin();
    say('there are two processes');
    try {
      const findings: Finding[] = [
        exactly(
          'both processes, Redis there: requests that pass a limit of 100',
          await passed(one, other),
          limit,
        ),
      ];
      for (const outage of outages)
        findings.push(...(await suffer(outage, redis, one, other, quick ? 1_000 : 10_000, say)));
      findings.push(await startWithout(redis, one));
      return findings;
    } finally {
      redis.goOn();
      await other.close();
      await one.close();
      await redis.kill();
    }
  },
};

async function suffer(
  { name, begin, end }: Outage,
  redis: Redis,
  one: TestApp,
  other: TestApp,
  awayMs: number,
  say: Attempt['say'],
): Promise<Finding[]> {
  const both = [one, other];
  const owner = await one.organization();
  const { administratorId } = owner;
  const { key } = await owner.userKey(administratorId);
  const session = await signIn(one, administratorId);
  const linesBefore = both.map(
    (app) => [linesOf(app, 'out of reach'), linesOf(app, 'Redis is there')] as const,
  );
  const times: { at: number; ms: number; status: number }[] = [];
  const stopping = new AbortController();
  const asking = Promise.all(
    both.map(async (app) => {
      while (!stopping.signal.aborted) {
        const at = performance.now();
        const { status } = await app.callerWith(key)('GET', '/api/assistants/v1/');
        times.push({ at, ms: performance.now() - at, status });
        await pause(5);
      }
    }),
  );
  await pause(Math.min(awayMs, 3_000));
  const awayAt = performance.now();
  await begin(redis);
  const alone = await passed(one, other);
  say(`${name}: ${alone} passed`);
  const member = await owner.member(`somebody@${name}.example`);
  const membersKey = (await owner.userKey(member.id)).key;
  const asMember = async () =>
    (await other.callerWith(membersKey)('GET', '/api/assistants/v1/')).status;
  const before = await asMember();
  const removed = await owner.manage('DELETE', `/users/${member.id}`);
  const removedAt = performance.now();
  while ((await asMember()) !== 401 && performance.now() - removedAt < 10_000) await pause(10);
  const revokedMs = performance.now() - removedAt;
  const { data, status: asked } = await session.graph('{ viewer { kind } }');
  await pause(awayMs);
  const said = both.map(
    (app, index) => linesOf(app, 'out of reach') - (linesBefore[index]?.[0] ?? 0),
  );
  await end(redis);
  const backAt = performance.now();
  const isBack = () =>
    both.every((app, index) => linesOf(app, 'Redis is there') > (linesBefore[index]?.[1] ?? 0));
  while (!isBack() && performance.now() - backAt < 60_000) await pause(20);
  const backSeconds = (performance.now() - backAt) / 1000;
  const together = await passed(one, other);
  stopping.abort();
  await asking;

  const meanwhile = times.filter(({ at, ms }) => at + ms >= awayAt && at <= backAt);
  const usual = median(times.filter(({ at, ms }) => at + ms < awayAt).map(({ ms }) => ms));
  const wrong =
    times.filter(({ status }) => status !== 200).length +
    [before !== 200, removed.status !== 200, asked !== 200 || data === null].filter(Boolean).length;
  say(
    `${name}: usually ${usual.toFixed(1)} ms, ${median(meanwhile.map(({ ms }) => ms)).toFixed(1)} ms meanwhile`,
  );
  return [
    exactly(
      `${name}: requests that pass the limits of two processes that count alone`,
      alone,
      2 * limit,
    ),
    none(`${name}: of ${times.length} answers not the right one`, wrong),
    atMost(promised.slowestMs, {
      figure: `${name}: the slowest answer`,
      value: Math.max(...meanwhile.map(({ ms }) => ms)),
      unit: 'ms',
    }),
    none(
      `${name}: lines too many, or none, in which a process says that Redis is away`,
      said.filter((lines) => lines !== 1).length,
    ),
    atMost(promised.revokedMs, {
      figure: `${name}: until a removed member is refused by the other process`,
      value: revokedMs,
      unit: 'ms',
    }),
    atMost(promised.backSeconds, {
      figure: `${name}: until both count together again`,
      value: backSeconds,
      unit: 's',
    }),
    exactly(`${name}: requests that pass a limit of 100 afterwards`, together, limit),
  ];
}

/** Of many at once through both, with a key of its own that nobody has used. */
async function passed(one: TestApp, other: TestApp): Promise<number> {
  const owner = await one.organization();
  const answers = await Promise.all(
    [one, other].flatMap((app) =>
      Array.from({ length: limit + limit / 2 }, () => app.callerWith(owner.key)('GET', usersPath)),
    ),
  );
  return answers.filter(({ status }) => status === 200).length;
}

async function startWithout(redis: Redis, one: TestApp): Promise<Finding> {
  redis.hang();
  const begunAt = performance.now();
  const third = await one.twin();
  const seconds = (performance.now() - begunAt) / 1000;
  redis.goOn();
  // Its database is the first one's.
  void third;
  return atMost(promised.startSeconds, {
    figure: 'a start while Redis hangs',
    value: seconds,
    unit: 's',
  });
}

const linesOf = ({ logLines }: TestApp, what: string) =>
  logLines.filter((line) => line.includes(what)).length;
const exactly = (figure: string, value: number, goal: number): Goal => ({
  figure,
  value,
  unit: '',
  goal: String(goal),
  held: value === goal,
});
