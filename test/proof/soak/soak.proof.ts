import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, type Goal } from '../../bench/goals.ts';
import { type Attempt, none, type Proof } from '../proof.ts';
import { Book } from './book.ts';
import { callerOf } from './caller.ts';
import { heavyTraffic, sentNames } from './heavy-traffic.ts';
import { lightTraffic } from './light-traffic.ts';
import { robustSlope } from './robust-slope.ts';
import { steadily } from './steadily.ts';
import { type Held, watchProcess } from './watched-process.ts';
import { openWholeProgram, poolSize } from './whole-program.ts';

/** How long it goes on; SOAK_MINUTES=1 tries it. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
/** How much of the usual load there is; SOAK_PACE=0.4 for a machine that others use as well. */
const pace = Number(process.env['SOAK_PACE'] ?? 1);
const sampleEveryMs = Math.min(30, (minutes * 60) / 12) * 1_000;

const names = ['api', 'vault', 'vector-db'] as const;
type Name = (typeof names)[number];
type Sample = {
  minute: number;
  held: Record<Name, Held>;
  calls: number;
  p50Ms: number;
  p99Ms: number;
  load: number;
} & Stock;
type Stock = Awaited<ReturnType<Awaited<ReturnType<typeof openWholeProgram>>['stock']>>;

/** Memory that grows slower than this takes a week for what a small machine has. */
const promised = { heapMbAMinute: 0.2, rssMbAMinute: 1, openAMinute: 0.2 };

export const proof: Proof = {
  claim:
    'Under mixed load memory, sockets and files stay where they are, and what was deleted is gone',
  long: true,
  async attempt(attempt) {
    const whole = await openWholeProgram();
    try {
      const before = await untilStill(whole.stock);
      const book = new Book();
      const samples = await soak(whole, book, attempt);
      await removeWhatIsLeft(whole);
      const after = await untilStill(whole.stock, before.passages);
      for (const [kind, count] of book.counts) attempt.say(`${kind}: ${count}`);
      for (const [what, count] of book.surprises)
        attempt.say(`nobody expected: ${what} (${count})`);
      const errors = names.flatMap(
        (name) => whole.parts[name].output().match(/"level":"(error|fatal)".*/g) ?? [],
      );
      for (const line of errors.slice(0, 10)) attempt.say(line.slice(0, 600));
      console.log(`\n${sampleTable(samples)}\n`);
      return [
        atLeast(Math.round(minutes * 60 * 15 * pace), {
          figure: `calls in ${minutes} minutes`,
          value: book.answered,
          unit: '',
        }),
        none('answers of 5xx', book.serverFaults),
        none('answers that nobody expected', book.surprises.length),
        none('lines of the log that tell of an error', errors.length),
        none('passages more than before', after.passages - before.passages),
        atMost(0.5, {
          figure: 'stored files grew',
          value: after.filesMb - before.filesMb,
          unit: 'MB',
        }),
        atMost(poolSize, {
          figure: 'connections to the database',
          value: Math.max(...samples.map(({ connections }) => connections)),
          unit: '',
        }),
        ...names.flatMap((name) => slopesOf(name, samples)),
      ];
    } finally {
      await whole.stop();
    }
  },
};

async function soak(
  { parts, partner, stock }: Awaited<ReturnType<typeof openWholeProgram>>,
  book: Book,
  { say, seed }: Attempt,
): Promise<Sample[]> {
  const origin = parts.api.address;
  const call = callerOf(origin, book);
  const watched = {
    api: await watchProcess(parts.api),
    vault: await watchProcess(parts.vault),
    'vector-db': await watchProcess(parts['vector-db']),
  };
  const activities = [
    ...lightTraffic(call, partner),
    ...heavyTraffic({ call, origin, partner, chance: chanceFrom(seed) }),
  ];
  const over = new AbortController();
  const traffic = Promise.all(
    activities.map((activity) =>
      steadily({ ...activity, everyMs: activity.everyMs / pace }, book, over.signal),
    ),
  );
  const samples: Sample[] = [];
  const startedAt = Date.now();
  for (let number = 1; number * sampleEveryMs <= minutes * 60_000; number += 1) {
    await sleep(Math.max(0, startedAt + number * sampleEveryMs - Date.now()));
    const times = book.takeInterval();
    const held = {
      api: await watched.api.look(),
      vault: await watched.vault.look(),
      'vector-db': await watched['vector-db'].look(),
    };
    samples.push({
      minute: (number * sampleEveryMs) / 60_000,
      held,
      ...times,
      load: loadavg()[0] ?? 0,
      ...(await stock()),
    });
    say(row(samples.at(-1)));
  }
  over.abort();
  await traffic;
  if (book.skipped > 0)
    say(`${book.skipped} times something was left out because too much of it was under way`);
  return samples;
}

/** An upload that was not acknowledged, as when the machine was too busy, may be there or not. */
async function removeWhatIsLeft({
  parts,
  partner,
}: Awaited<ReturnType<typeof openWholeProgram>>): Promise<void> {
  const headers = { authorization: `Bearer ${partner.users[0]?.userKey}` };
  const path = `${parts.api.address}/api/assistant-files/v1/assistants/${partner.assistants[0]?.id}/files`;
  const { files }: { files: { id: string; originalName: string }[] } = await (
    await fetch(path, { headers })
  ).json();
  for (const { id, originalName } of files)
    if (sentNames.has(originalName)) await fetch(`${path}/${id}`, { method: 'DELETE', headers });
}

function slopesOf(name: Name, samples: readonly Sample[]): Goal[] {
  const second = samples.slice(Math.floor(samples.length / 2));
  const slope = (value: (held: Held) => number) =>
    robustSlope(second.map(({ minute, held }) => ({ minute, value: value(held[name]) })));
  return [
    atMost(promised.heapMbAMinute, {
      figure: `${name}: heap grows`,
      value: slope(({ heapMb }) => heapMb),
      unit: 'MB a minute',
    }),
    atMost(promised.rssMbAMinute, {
      figure: `${name}: resident memory grows`,
      value: slope(({ rssMb }) => rssMb),
      unit: 'MB a minute',
    }),
    atMost(promised.openAMinute, {
      figure: `${name}: open files grow`,
      value: slope(({ files }) => files),
      unit: 'a minute',
    }),
    atMost(promised.openAMinute, {
      figure: `${name}: open sockets grow`,
      value: slope(({ sockets }) => sockets),
      unit: 'a minute',
    }),
  ];
}

/**
 * Until nothing is read or removed in the background any more, and what is left is no more than
 * wanted.
 */
async function untilStill(
  stock: () => Promise<Stock>,
  passagesMax = Number.POSITIVE_INFINITY,
): Promise<Stock> {
  let last = await stock();
  for (let tries = 0; tries < 30; tries += 1) {
    await sleep(2_000);
    const now = await stock();
    if (
      now.passages === last.passages &&
      now.filesMb === last.filesMb &&
      now.passages > 0 &&
      now.passages <= passagesMax
    )
      return now;
    last = now;
  }
  return last;
}

const heads = [
  'minute',
  ...names.flatMap((name) => [
    `${name} heap`,
    'rss',
    'external',
    'fds',
    'sockets',
    'delay p99',
    'CPU s',
  ]),
  'calls',
  'p50',
  'p99',
  'machine load',
];
const row = (sample: Sample | undefined) => (sample ? `| ${cellsOf(sample).join(' | ')} |` : '');
const sampleTable = (samples: readonly Sample[]) =>
  [
    'Memory and sizes in MB, times in ms',
    `| ${[...heads, 'connections', 'database', 'files', 'vectors', 'passages'].join(' | ')} |`,
    `|${'---|'.repeat(heads.length + 6)}`,
    ...samples.map(row),
  ].join('\n');

function cellsOf({
  minute,
  held,
  calls,
  p50Ms,
  p99Ms,
  load,
  connections,
  databaseMb,
  filesMb,
  vectorsMb,
  passages,
}: Sample): string[] {
  const parts = names.flatMap((name) => {
    const { heapMb, rssMb, externalMb, files, sockets, delayP99Ms, cpuMs } = held[name];
    return [
      heapMb.toFixed(1),
      rssMb.toFixed(0),
      externalMb.toFixed(1),
      String(files),
      String(sockets),
      delayP99Ms.toFixed(0),
      (cpuMs / 1_000).toFixed(1),
    ];
  });
  const rest = [databaseMb, filesMb, vectorsMb].map((size) => size.toFixed(1));
  return [
    minute.toFixed(1),
    ...parts,
    String(calls),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    load.toFixed(1),
    String(connections),
    ...rest,
    String(passages),
  ];
}

/** mulberry32: small, and good enough to spread. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
