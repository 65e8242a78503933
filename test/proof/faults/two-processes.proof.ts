import { atMost } from '../../bench/goals.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import { serverUrl } from './data-location.ts';
import { measureFileSharing, measureTakeOver } from './two-processes/files.ts';
import { isRedisReachable } from './two-processes/redis-reachable.ts';
import { graph, msUntil, sendRequest } from './two-processes/send-request.ts';
import { redisUrl, startTwoProcesses, type TwoProcesses } from './two-processes/start-processes.ts';

const users = '/api/user-management/v1/users';

export const proof: Proof = {
  claim:
    'Two processes with the same Postgres and Redis act as one: limits are exact, revocation takes one second at most, files and jobs are shared',
  async measure(context) {
    if (!(await isPostgresReachable(serverUrl)))
      return [{ figure: 'two processes', skipped: 'no Postgres is reachable' }];
    if (!(await isRedisReachable(redisUrl)))
      return [{ figure: 'two processes', skipped: 'no Redis is reachable' }];
    const processes = await startTwoProcesses();
    context.log('both processes are running');
    try {
      const findings: ProofFinding[] = [];
      for (const measurePart of [
        measureLimits,
        measureIdempotency,
        measureRevocation,
        measureSessions,
        measureFileSharing,
        measureTakeOver,
      ])
        findings.push(...(await measurePart(processes, context)));
      return findings;
    } finally {
      await processes.close();
    }
  },
};

async function measureLimits({
  address,
  first,
  second,
  newKey,
}: TwoProcesses): Promise<ProofFinding[]> {
  const { key } = await newKey('ORGANIZATION');
  const servedBefore = [first, second].map(countAnswers);
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => sendRequest(address, users, { key })),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  const shares = [first, second].map(
    (program, at) => countAnswers(program) - (servedBefore[at] ?? 0),
  );
  return [
    {
      figure: 'of 150 simultaneous requests with one organization key, passed',
      value: passed,
      unit: '',
      goal: '100',
      held: passed === 100,
    },
    exactlyZero(
      'of those 150, answers other than 200 and 429',
      answers.filter(({ status }) => status !== 200 && status !== 429).length,
    ),
    {
      figure: 'requests served by the process with fewer of them',
      value: Math.min(...shares),
      unit: '',
      goal: '≥ 1',
      held: Math.min(...shares) >= 1,
    },
  ];
}

const countAnswers = ({ output }: { output(): string }) =>
  output().match(/"operation":"ListUsers"/gi)?.length ?? 0;

async function measureIdempotency(
  { address, database, newKey }: TwoProcesses,
  { quick }: ProofContext,
): Promise<ProofFinding[]> {
  let [wrong, duplicated] = [0, 0];
  const rounds = quick ? 2 : 20;
  for (let round = 0; round < rounds; round += 1) {
    const { key } = await newKey('ORGANIZATION', 1_000_000);
    const email = `once-${round}@two.example`;
    const request = {
      method: 'POST',
      key,
      json: { email },
      headers: { 'idempotency-key': `round-${round}` },
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sendRequest(address, users, request)),
    );
    const done = answers.filter(({ status }) => status === 200);
    if (
      new Set(done.map(({ text }) => text)).size !== 1 ||
      answers.some(({ status }) => status !== 200 && status !== 409)
    )
      wrong += 1;
    const entries = await database.prisma.auditEntry.count({
      where: { changes: { path: ['email'], equals: email } },
    });
    if (entries > 1 || (await database.prisma.user.count({ where: { email } })) !== 1)
      duplicated += 1;
  }
  return [
    exactlyZero(
      `of ${rounds} writes sent 20 times at once with one Idempotency-Key, with different answers`,
      wrong,
    ),
    exactlyZero('of those, duplicated or missing writes', duplicated),
  ];
}

/** The processes take turns: one revokes a key, the other is asked with it. */
async function measureRevocation(
  { first, second, newKey, password }: TwoProcesses,
  { quick }: ProofContext,
): Promise<ProofFinding[]> {
  const { cookies: cookie } = await signIn(first.address, password);
  const refusedAfterMs: number[] = [];
  for (let round = 0; round < (quick ? 2 : 10); round += 1) {
    const [revokingAddress, otherAddress] =
      round % 2 === 0 ? [first.address, second.address] : [second.address, first.address];
    const revokedKey = await newKey('USER');
    const isRefused = async () =>
      (await sendRequest(otherAddress, '/api/assistants/v1/', { key: revokedKey.key })).status ===
      401;
    if (await isRefused()) throw new Error('a new key was refused');
    const revoked = await graph(
      revokingAddress,
      { cookie },
      'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }',
      { id: revokedKey.id },
    );
    if (revoked.body['errors']) throw new Error(`the key was not revoked: ${revoked.text}`);
    refusedAfterMs.push(await msUntil(isRefused, 5_000));
  }
  return [
    atMost(1, {
      figure: `until the other process refuses a revoked key, longest of ${refusedAfterMs.length}`,
      value: Math.max(...refusedAfterMs) / 1000,
      unit: 's',
    }),
  ];
}

async function measureSessions({ first, second, password }: TwoProcesses): Promise<ProofFinding[]> {
  const { cookies: cookie } = await signIn(first.address, password);
  const isSignedIn = async (address: string) =>
    (await graph(address, { cookie }, '{ viewer { person { email } } }')).text.includes(
      'ada@demo.example',
    );
  const knownCount = [await isSignedIn(first.address), await isSignedIn(second.address)].filter(
    Boolean,
  ).length;
  const signOut = await sendRequest(second.address, '/auth/sign-out', {
    method: 'POST',
    cookie,
    json: {},
  });
  if (signOut.status !== 200)
    throw new Error(`signing out answered ${signOut.status}: ${signOut.text}`);
  const endedMs = await msUntil(async () => !(await isSignedIn(first.address)), 5_000);
  return [
    {
      figure: 'processes that know a session opened at one of them',
      value: knownCount,
      unit: '',
      goal: '2',
      held: knownCount === 2,
    },
    atMost(1, {
      figure: 'until the other process refuses an ended session',
      value: endedMs / 1000,
      unit: 's',
    }),
  ];
}

const signIn = (address: string, password: string) =>
  sendRequest(address, '/auth/sign-in/email', {
    method: 'POST',
    json: { email: 'ada@demo.example', password },
  });
