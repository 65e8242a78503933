import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, below, type Goal } from '../../bench/goals.ts';
import { median, percentile } from '../../bench/statistics.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { exactlyZero, type Proof, type ProofContext, type SkippedFigure } from '../proof.ts';
import { openDemoWorkspace } from './disk-full/demo-workspace.ts';
import { secondsUntil } from './disk-full/seconds-until.ts';
import {
  connectingMs,
  openSlowClients,
  type SlowClients,
  slowBody,
  slowHeaders,
  slowUpload,
} from './slow-clients/slow-sockets.ts';
import { hasSlowhttptest, runSlowhttptest } from './slow-clients/slowhttptest.ts';

const highLimit = '1000000';
const p99MsMax = 50;
// The p50 with slow clients divided by the p50 without them. On a busy machine only this ratio is
// meaningful.
const ratioMax = 2;
const honestEveryMs = 20;

export const proof: Proof = {
  claim:
    'Slow clients are disconnected in time, and honest callers get their answers as fast as before',
  long: true,
  async measure({ quick, log }: ProofContext) {
    const size = quick
      ? { headers: 100, bodies: 40, uploads: 10, seconds: 3 }
      : { headers: 500, bodies: 200, uploads: 50, seconds: 40 };
    const data = temporaryDirectory();
    const program = await start({
      DATA_DIR: data.path,
      USER_KEY_LIMIT: highLimit,
      ORGANIZATION_LIMIT: highLimit,
      ORGANIZATION_KEY_LIMIT: highLimit,
      // Uploads above the quota would be refused at once and would not be slow.
      QUOTA_UPLOADS: '1000',
      LOG_LEVEL: 'info',
    });
    const honestCaller = {
      address: program.address,
      key: /sk_svc_um_\w+/.exec(program.output())?.[0] ?? '',
    };
    const attackers: SlowClients[] = [];
    try {
      const demo = await openDemoWorkspace(program);
      const filesAtFirst = (await demo.files()).length;
      await secondsUntil(
        async () =>
          (await demo.files()).every(({ processingStatus }) => processingStatus === 'COMPLETED'),
        60,
      );
      await measureCalls(honestCaller, 1);
      const withoutAttack = await measureCalls(honestCaller, size.seconds);
      attackers.push(
        openSlowClients(program.address, size.headers, slowHeaders),
        openSlowClients(program.address, size.bodies, slowBody(demo.userKey)),
        openSlowClients(program.address, size.uploads, slowUpload(demo.userKey, demo.filesPath)),
      );
      await pause(connectingMs + 1_000);
      const openCount = () => attackers.reduce((sum, attacker) => sum + attacker.openCount(), 0);
      const openLeast = { value: openCount() };
      const counting = setInterval(() => {
        openLeast.value = Math.min(openLeast.value, openCount());
      }, 500);
      const withAttack = await measureCalls(honestCaller, size.seconds);
      clearInterval(counting);
      log(
        `without slow clients p50 ${withoutAttack.p50.toFixed(1)} p99 ${withoutAttack.p99.toFixed(1)} ms; with them p50 ${withAttack.p50.toFixed(1)} p99 ${withAttack.p99.toFixed(1)} ms`,
      );
      const closedCounts = attackers.map((attacker) => attacker.closedCount());
      for (const attacker of attackers.splice(0)) attacker.stop();
      const slowClientCount = size.headers + size.bodies + size.uploads;
      const goals: (Goal | SkippedFigure)[] = [
        // Clients that were just disconnected are reconnecting, so 80 % is enough.
        atLeast(slowClientCount * 0.8, {
          figure: `lowest number of open slow connections, of ${slowClientCount}`,
          value: openLeast.value,
          unit: '',
        }),
        exactlyZero('failed honest calls', withoutAttack.failed + withAttack.failed),
        {
          figure: 'honest p99 without slow clients',
          value: withoutAttack.p99,
          unit: 'ms',
          goal: 'for comparison',
          held: true,
        },
        p99Goal('honest p99 with slow clients', withAttack, withoutAttack),
        below(ratioMax, {
          figure: 'honest p50 with slow clients, relative to without',
          value: withAttack.p50 / withoutAttack.p50,
          unit: '',
        }),
      ];
      // The server allows ten seconds for headers, fifteen for a body and thirty for a silent
      // upload. Only the long version of this proof runs that long.
      if (!quick)
        goals.push(
          atLeast(size.headers, {
            figure: 'disconnections of slow headers',
            value: closedCounts[0] ?? 0,
            unit: '',
          }),
          atLeast(size.bodies, {
            figure: 'disconnections of slow bodies',
            value: closedCounts[1] ?? 0,
            unit: '',
          }),
          atLeast(size.uploads, {
            figure: 'disconnections of slow uploads',
            value: closedCounts[2] ?? 0,
            unit: '',
          }),
        );
      if (!quick)
        goals.push(...(await measureWithSlowhttptest(honestCaller, withoutAttack, size, log)));
      await pause(500);
      goals.push(
        exactlyZero('files created by slow uploads', (await demo.files()).length - filesAtFirst),
      );
      return goals;
    } finally {
      for (const attacker of attackers) attacker.stop();
      program.process.kill('SIGKILL');
      await program.ended;
      data.remove();
    }
  },
};

type AttackSize = { headers: number; bodies: number; seconds: number };

/** Repeats the attack with slowhttptest, an independent tool. */
async function measureWithSlowhttptest(
  honestCaller: HonestCaller,
  withoutAttack: CallTimes,
  { headers, bodies, seconds }: AttackSize,
  log: (line: string) => void,
): Promise<(Goal | SkippedFigure)[]> {
  const figure = 'honest p99 with slowhttptest';
  if (!hasSlowhttptest()) return [{ figure, skipped: 'slowhttptest is not installed' }];
  const running = [
    runSlowhttptest('headers', `${honestCaller.address}/api/user-management/v1/users`, {
      connections: headers,
      seconds: seconds + 5,
    }),
    runSlowhttptest('body', `${honestCaller.address}/graphql`, {
      connections: bodies,
      seconds: seconds + 5,
    }),
  ];
  await pause(2_000);
  const withAttack = await measureCalls(honestCaller, seconds);
  const openCount = running.map((attacker) => attacker.connectionsMax());
  for (const attacker of running) await attacker.end();
  log(
    `with slowhttptest p50 ${withAttack.p50.toFixed(1)} p99 ${withAttack.p99.toFixed(1)} ms; it kept ${openCount.join(' and ')} connections open`,
  );
  return [
    atLeast(headers * 0.8, {
      figure: `slow headers that slowhttptest kept open, of ${headers}`,
      value: openCount[0] ?? 0,
      unit: '',
    }),
    atLeast(bodies * 0.8, {
      figure: `slow bodies that slowhttptest kept open, of ${bodies}`,
      value: openCount[1] ?? 0,
      unit: '',
    }),
    p99Goal(figure, withAttack, withoutAttack),
    below(ratioMax, {
      figure: 'honest p50 with slowhttptest, relative to without',
      value: withAttack.p50 / withoutAttack.p50,
      unit: '',
    }),
    exactlyZero('failed honest calls with slowhttptest', withAttack.failed),
  ];
}

/** Skipped on a machine where the same calls are slow even without an attack. */
const p99Goal = (
  figure: string,
  withAttack: CallTimes,
  withoutAttack: CallTimes,
): Goal | SkippedFigure =>
  withoutAttack.p99 < p99MsMax || withAttack.p99 < p99MsMax
    ? below(p99MsMax, { figure, value: withAttack.p99, unit: 'ms' })
    : {
        figure,
        skipped: `the p99 on this machine is ${Math.round(withoutAttack.p99)} ms without slow clients and ${Math.round(withAttack.p99)} ms with them`,
      };

type CallTimes = { p50: number; p99: number; failed: number };
type HonestCaller = { address: string; key: string };

/** Sends a call every 20 ms, whether or not the calls before it were answered. */
async function measureCalls({ address, key }: HonestCaller, seconds: number): Promise<CallTimes> {
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
