import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, below, type Goal } from '../../bench/goals.ts';
import { median, percentile } from '../../bench/statistics.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { type Attempt, type LeftOut, none, type Proof } from '../proof.ts';
import { demoOf } from './full/demo.ts';
import { secondsUntil } from './full/until.ts';
import {
  holdSlowClients,
  type SlowClients,
  slowBody,
  slowHeaders,
  slowUpload,
} from './slow/slow-sockets.ts';
import { hasSlowhttptest, runSlowhttptest } from './slow/slowhttptest.ts';

const many = '1000000';
const p99MsMax = 50;
// Of what an honest caller waits without them: on a busy machine the only figure that says
// something.
const ratioMax = 2;
const honestEveryMs = 20;

export const proof: Proof = {
  claim: 'Slow headers and slow bodies are held and ended, and honest callers do not notice',
  long: true,
  async attempt({ quick, say }: Attempt) {
    const size = quick
      ? { headers: 100, bodies: 40, uploads: 10, seconds: 3 }
      : { headers: 500, bodies: 200, uploads: 50, seconds: 40 };
    const data = temporaryDirectory();
    const program = await start({
      DATA_DIR: data.path,
      USER_KEY_LIMIT: many,
      ORGANIZATION_LIMIT: many,
      ORGANIZATION_KEY_LIMIT: many,
      LOG_LEVEL: 'info',
    });
    const honest = {
      address: program.address,
      key: /sk_svc_um_\w+/.exec(program.output())?.[0] ?? '',
    };
    const attackers: SlowClients[] = [];
    try {
      const demo = await demoOf(program);
      const filesAtFirst = (await demo.files()).length;
      await secondsUntil(
        async () =>
          (await demo.files()).every(({ processingStatus }) => processingStatus === 'COMPLETED'),
        60,
      );
      await callFor(honest, 1);
      const alone = await callFor(honest, size.seconds);
      attackers.push(
        holdSlowClients(program.address, size.headers, slowHeaders),
        holdSlowClients(program.address, size.bodies, slowBody(demo.userKey)),
        holdSlowClients(program.address, size.uploads, slowUpload(demo.userKey, demo.filesPath)),
      );
      await pause(1_000);
      const held = () => attackers.reduce((sum, each) => sum + each.held(), 0);
      const heldLeast = { value: held() };
      const counting = setInterval(() => {
        heldLeast.value = Math.min(heldLeast.value, held());
      }, 500);
      const beside = await callFor(honest, size.seconds);
      clearInterval(counting);
      say(
        `alone p50 ${alone.p50.toFixed(1)} p99 ${alone.p99.toFixed(1)} ms; beside slow clients p50 ${beside.p50.toFixed(1)} p99 ${beside.p99.toFixed(1)} ms`,
      );
      const turnedAway = attackers.map((each) => each.turnedAway());
      for (const each of attackers.splice(0)) each.end();
      const wanted = size.headers + size.bodies + size.uploads;
      const goals: (Goal | LeftOut)[] = [
        // Those that were just turned away are on their way back.
        atLeast(wanted * 0.8, {
          figure: `slow clients held at once, of ${wanted}, at the least`,
          value: heldLeast.value,
          unit: '',
        }),
        none('honest calls that failed', alone.failed + beside.failed),
        {
          figure: 'honest p99 without them',
          value: alone.p99,
          unit: 'ms',
          goal: 'for comparison',
          held: true,
        },
        p99Goal('honest p99 beside them', beside, alone),
        below(ratioMax, {
          figure: 'honest p50 beside them, times without',
          value: beside.p50 / alone.p50,
          unit: '',
        }),
      ];
      // The time for a head is ten seconds, for a body fifteen, for a silent upload thirty: only
      // the long form lives to see them.
      if (!quick)
        goals.push(
          atLeast(size.headers, {
            figure: 'slow headers that were ended',
            value: turnedAway[0] ?? 0,
            unit: '',
          }),
          atLeast(size.bodies, {
            figure: 'slow bodies that were ended',
            value: turnedAway[1] ?? 0,
            unit: '',
          }),
          atLeast(size.uploads, {
            figure: 'slow uploads that were ended',
            value: turnedAway[2] ?? 0,
            unit: '',
          }),
        );
      if (!quick) goals.push(...(await bySlowhttptest(honest, alone, size, say)));
      await pause(500);
      goals.push(none('files that slow uploads left', (await demo.files()).length - filesAtFirst));
      return goals;
    } finally {
      for (const each of attackers) each.end();
      program.process.kill('SIGKILL');
      await program.ended;
      data.remove();
    }
  },
};

type Size = { headers: number; bodies: number; seconds: number };

/** The same with a program that others have written. */
async function bySlowhttptest(
  honest: Honest,
  alone: Times,
  { headers, bodies, seconds }: Size,
  say: (line: string) => void,
): Promise<(Goal | LeftOut)[]> {
  const figure = 'honest p99 beside slowhttptest';
  if (!hasSlowhttptest()) return [{ figure, leftOut: 'slowhttptest is not installed' }];
  const running = [
    runSlowhttptest('headers', `${honest.address}/api/user-management/v1/users`, {
      connections: headers,
      seconds: seconds + 5,
    }),
    runSlowhttptest('body', `${honest.address}/graphql`, {
      connections: bodies,
      seconds: seconds + 5,
    }),
  ];
  await pause(2_000);
  const beside = await callFor(honest, seconds);
  const held = running.map((each) => each.connected());
  for (const each of running) await each.end();
  say(
    `beside slowhttptest p50 ${beside.p50.toFixed(1)} p99 ${beside.p99.toFixed(1)} ms; it held ${held.join(' and ')}`,
  );
  return [
    atLeast(headers * 0.8, {
      figure: `slow headers that slowhttptest held, of ${headers}`,
      value: held[0] ?? 0,
      unit: '',
    }),
    atLeast(bodies * 0.8, {
      figure: `slow bodies that slowhttptest held, of ${bodies}`,
      value: held[1] ?? 0,
      unit: '',
    }),
    p99Goal(figure, beside, alone),
    below(ratioMax, {
      figure: 'honest p50 beside slowhttptest, times without',
      value: beside.p50 / alone.p50,
      unit: '',
    }),
    none('honest calls that failed beside slowhttptest', beside.failed),
  ];
}

/** A machine on which the same calls take longer even without anybody else cannot show it. */
const p99Goal = (figure: string, beside: Times, alone: Times): Goal | LeftOut =>
  alone.p99 < p99MsMax || beside.p99 < p99MsMax
    ? below(p99MsMax, { figure, value: beside.p99, unit: 'ms' })
    : {
        figure,
        leftOut: `this machine needs ${Math.round(alone.p99)} ms without slow clients, and ${Math.round(beside.p99)} ms beside them`,
      };

type Times = { p50: number; p99: number; failed: number };
type Honest = { address: string; key: string };

/** A caller at a modest rate: whatever an answer takes, the next call begins in its time. */
async function callFor({ address, key }: Honest, seconds: number): Promise<Times> {
  const times: number[] = [];
  let failed = 0;
  const call = async () => {
    const startedAt = performance.now();
    const answer = await fetch(`${address}/api/user-management/v1/users?pageSize=20`, {
      headers: { authorization: `Bearer ${key}` },
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    times.push(performance.now() - startedAt);
    if (answer?.status !== 200) failed += 1;
  };
  const calls: Promise<void>[] = [];
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; ) {
    calls.push(call());
    await pause(honestEveryMs);
  }
  await Promise.all(calls);
  return { p50: median(times), p99: percentile(times, 99), failed };
}
