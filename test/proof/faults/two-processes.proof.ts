import { atMost } from '../../bench/goals.ts';
import { canReach } from '../fuzz/reach.ts';
import { type Attempt, type Finding, none, type Proof } from '../proof.ts';
import { serverUrl } from './place.ts';
import { ask, graph, msUntil } from './two-processes/asking.ts';
import { fileFindings, takeOverFindings } from './two-processes/files.ts';
import { openPrograms, type Programs, redisUrl } from './two-processes/programs.ts';
import { redisAnswers } from './two-processes/redis-answers.ts';

const users = '/api/user-management/v1/users';

export const proof: Proof = {
  claim:
    'two programs on one Postgres and Redis behind one port are one: limits are exact, revocation takes a second at most, files and jobs are shared',
  async attempt(attempt) {
    if (!(await canReach(serverUrl)))
      return [{ figure: 'two programs', leftOut: 'no Postgres can be reached' }];
    if (!(await redisAnswers(redisUrl)))
      return [{ figure: 'two programs', leftOut: 'no Redis can be reached' }];
    const programs = await openPrograms();
    attempt.say('both started');
    try {
      const findings: Finding[] = [];
      for (const part of [limits, repetition, keys, sessions, fileFindings, takeOverFindings])
        findings.push(...(await part(programs, attempt)));
      return findings;
    } finally {
      await programs.close();
    }
  },
};

async function limits({ address, first, second, newKey }: Programs): Promise<Finding[]> {
  const { key } = await newKey('ORGANIZATION');
  const servedBefore = [first, second].map(answeredBy);
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => ask(address, users, { key })),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  const shares = [first, second].map(
    (program, at) => answeredBy(program) - (servedBefore[at] ?? 0),
  );
  return [
    {
      figure: 'of 150 requests of one organization key at once, passed',
      value: passed,
      unit: '',
      goal: '100',
      held: passed === 100,
    },
    none(
      'of those 150, answered neither 200 nor 429',
      answers.filter(({ status }) => status !== 200 && status !== 429).length,
    ),
    {
      figure: 'the smaller share of a program',
      value: Math.min(...shares),
      unit: '',
      goal: '≥ 1',
      held: Math.min(...shares) >= 1,
    },
  ];
}

const answeredBy = ({ output }: { output(): string }) =>
  output().match(/"operation":"ListUsers"/gi)?.length ?? 0;

async function repetition(
  { address, database, newKey }: Programs,
  { quick }: Attempt,
): Promise<Finding[]> {
  let [wrong, twice] = [0, 0];
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
      Array.from({ length: 20 }, () => ask(address, users, request)),
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
    if (entries > 1 || (await database.prisma.user.count({ where: { email } })) !== 1) twice += 1;
  }
  return [
    none(
      `of ${rounds} writes sent 20 times at once with one Idempotency-Key, answered unlike`,
      wrong,
    ),
    none('of those, done twice or not at all', twice),
  ];
}

/** The one that revokes and the one that asks take turns. */
async function keys(
  { first, second, newKey, password }: Programs,
  { quick }: Attempt,
): Promise<Finding[]> {
  const { cookies: cookie } = await signIn(first.address, password);
  const takenMs: number[] = [];
  for (let round = 0; round < (quick ? 2 : 10); round += 1) {
    const [here, there] =
      round % 2 === 0 ? [first.address, second.address] : [second.address, first.address];
    const gone = await newKey('USER');
    const isRefused = async () =>
      (await ask(there, '/api/assistants/v1/', { key: gone.key })).status === 401;
    if (await isRefused()) throw new Error('a new key was refused');
    const revoked = await graph(
      here,
      { cookie },
      'mutation ($id: ResourceId!) { revokeApiKey(id: $id) { id } }',
      { id: gone.id },
    );
    if (revoked.body['errors']) throw new Error(`the key was not revoked: ${revoked.text}`);
    takenMs.push(await msUntil(isRefused, 5_000));
  }
  return [
    atMost(1, {
      figure: `until the other program refuses a revoked key, the longest of ${takenMs.length}`,
      value: Math.max(...takenMs) / 1000,
      unit: 's',
    }),
  ];
}

async function sessions({ first, second, password }: Programs): Promise<Finding[]> {
  const { cookies: cookie } = await signIn(first.address, password);
  const isIn = async (address: string) =>
    (await graph(address, { cookie }, '{ viewer { person { email } } }')).text.includes(
      'ada@demo.example',
    );
  const known = [await isIn(first.address), await isIn(second.address)].filter(Boolean).length;
  const left = await ask(second.address, '/auth/sign-out', { method: 'POST', cookie, json: {} });
  if (left.status !== 200) throw new Error(`signing out answered ${left.status}: ${left.text}`);
  const endedMs = await msUntil(async () => !(await isIn(first.address)), 5_000);
  return [
    {
      figure: 'programs that know who signed in at one',
      value: known,
      unit: '',
      goal: '2',
      held: known === 2,
    },
    atMost(1, {
      figure: 'until the other program knows that a session has ended',
      value: endedMs / 1000,
      unit: 's',
    }),
  ];
}

const signIn = (address: string, password: string) =>
  ask(address, '/auth/sign-in/email', {
    method: 'POST',
    json: { email: 'ada@demo.example', password },
  });
