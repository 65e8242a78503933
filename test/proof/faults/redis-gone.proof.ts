import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Goal } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { hasRedisServer, openOwnRedis } from '../../support/own-redis.ts';
import { signIn } from '../../support/sign-in.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';

type RedisServer = Awaited<ReturnType<typeof openOwnRedis>>;
type RedisOutage = {
  name: string;
  begin(redis: RedisServer): unknown;
  end(redis: RedisServer): unknown;
};

const outages: RedisOutage[] = [
  { name: 'dead', begin: (redis) => redis.kill(), end: (redis) => redis.start() },
  { name: 'hanging', begin: (redis) => redis.hang(), end: (redis) => redis.resume() },
];
const limit = 100;
const highLimit = '1000000';
// A client waits up to 3 s for Redis once; the rest of the 4 s is for the answer itself.
const limits = { slowestMs: 4_000, revokedMs: 1_000, backSeconds: 10, startSeconds: 10 };
const usersPath = '/api/user-management/v1/teams';

export const proof: Proof = {
  claim:
    'Without Redis each process counts its own requests, logs this once and delays no answer; shared counting resumes with Redis',
  long: true,
  async measure({ quick, log }) {
    if (!hasRedisServer)
      return [{ figure: 'outages of Redis', skipped: 'redis-server is not installed' }];
    const redis = await openOwnRedis();
    const first = await testApp({
      REDIS_URL: redis.url,
      USER_KEY_LIMIT: highLimit,
      LOG_LEVEL: 'info',
    });
    const second = await first.twin();
    log('two processes are running');
    try {
      const findings: ProofFinding[] = [
        exactly(
          'with Redis: requests of two processes within a limit of 100',
          await countPassed(first, second),
          limit,
        ),
      ];
      for (const outage of outages)
        findings.push(
          ...(await measureOutage(outage, redis, first, second, quick ? 1_000 : 10_000, log)),
        );
      findings.push(await startWithoutRedis(redis, first));
      return findings;
    } finally {
      redis.resume();
      await second.close();
      await first.close();
      await redis.kill();
    }
  },
};

async function measureOutage(
  { name, begin, end }: RedisOutage,
  redis: RedisServer,
  first: TestApp,
  second: TestApp,
  awayMs: number,
  log: ProofContext['log'],
): Promise<ProofFinding[]> {
  const both = [first, second];
  const owner = await first.organization();
  const { administratorId } = owner;
  const { key } = await owner.userKey(administratorId);
  const session = await signIn(first, administratorId);
  const linesBefore = both.map(
    (app) =>
      [
        countLogLines(app, 'Redis cannot be reached'),
        countLogLines(app, 'connected to Redis'),
      ] as const,
  );
  const times: { at: number; ms: number; status: number }[] = [];
  const stopping = new AbortController();
  const requesting = Promise.all(
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
  const outageBeganAt = performance.now();
  await begin(redis);
  const passedAlone = await countPassed(first, second);
  log(`${name}: ${passedAlone} requests passed`);
  const member = await owner.member(`somebody@${name}.example`);
  const membersKey = (await owner.userKey(member.id)).key;
  const asMember = async () =>
    (await second.callerWith(membersKey)('GET', '/api/assistants/v1/')).status;
  const before = await asMember();
  const removed = await owner.manage('DELETE', `/users/${member.id}`);
  const removedAt = performance.now();
  while ((await asMember()) !== 401 && performance.now() - removedAt < 10_000) await pause(10);
  const revokedMs = performance.now() - removedAt;
  const { data, status: graphStatus } = await session.graph('{ viewer { kind } }');
  await pause(awayMs);
  const outageLines = both.map(
    (app, index) => countLogLines(app, 'Redis cannot be reached') - (linesBefore[index]?.[0] ?? 0),
  );
  await end(redis);
  const outageEndedAt = performance.now();
  const hasRecovered = () =>
    both.every(
      (app, index) => countLogLines(app, 'connected to Redis') > (linesBefore[index]?.[1] ?? 0),
    );
  while (!hasRecovered() && performance.now() - outageEndedAt < 60_000) await pause(20);
  const backSeconds = (performance.now() - outageEndedAt) / 1000;
  const passedTogether = await countPassed(first, second);
  stopping.abort();
  await requesting;

  const duringOutage = times.filter(
    ({ at, ms }) => at + ms >= outageBeganAt && at <= outageEndedAt,
  );
  const medianBeforeMs = median(
    times.filter(({ at, ms }) => at + ms < outageBeganAt).map(({ ms }) => ms),
  );
  const wrong =
    times.filter(({ status }) => status !== 200).length +
    [before !== 200, removed.status !== 200, graphStatus !== 200 || data === null].filter(Boolean)
      .length;
  log(
    `${name}: median ${medianBeforeMs.toFixed(1)} ms before, ${median(duringOutage.map(({ ms }) => ms)).toFixed(1)} ms during the outage`,
  );
  return [
    exactly(
      `${name}: requests within a limit of 100 when two processes count alone`,
      passedAlone,
      2 * limit,
    ),
    exactlyZero(`${name}: of ${times.length} answers, wrong ones`, wrong),
    atMost(limits.slowestMs, {
      figure: `${name}: the slowest answer`,
      value: Math.max(...duringOutage.map(({ ms }) => ms)),
      unit: 'ms',
    }),
    exactlyZero(
      `${name}: processes that do not log the outage exactly once`,
      outageLines.filter((lines) => lines !== 1).length,
    ),
    atMost(limits.revokedMs, {
      figure: `${name}: until the other process refuses a removed member`,
      value: revokedMs,
      unit: 'ms',
    }),
    atMost(limits.backSeconds, {
      figure: `${name}: until both processes share their counts again`,
      value: backSeconds,
      unit: 's',
    }),
    exactly(`${name}: requests within a limit of 100 afterwards`, passedTogether, limit),
  ];
}

/** Sends 150 requests to each process with a new key, and counts the answers of 200. */
async function countPassed(first: TestApp, second: TestApp): Promise<number> {
  const owner = await first.organization();
  const answers = await Promise.all(
    [first, second].flatMap((app) =>
      Array.from({ length: limit + limit / 2 }, () => app.callerWith(owner.key)('GET', usersPath)),
    ),
  );
  return answers.filter(({ status }) => status === 200).length;
}

async function startWithoutRedis(redis: RedisServer, first: TestApp): Promise<ProofFinding> {
  redis.hang();
  const beganAt = performance.now();
  const third = await first.twin();
  const seconds = (performance.now() - beganAt) / 1000;
  redis.resume();
  // The third process shares the database of the first, which closes it.
  void third;
  return atMost(limits.startSeconds, {
    figure: 'start while Redis hangs',
    value: seconds,
    unit: 's',
  });
}

const countLogLines = ({ logLines }: TestApp, what: string) =>
  logLines.filter((line) => line.includes(what)).length;
const exactly = (figure: string, value: number, goal: number): Goal => ({
  figure,
  value,
  unit: '',
  goal: String(goal),
  held: value === goal,
});
