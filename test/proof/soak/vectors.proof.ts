import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Goal } from '../../bench/goals.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { startVectorDbProcess } from '../../support/start-vector-db-process.ts';
import { type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';
import { withClient } from '../../support/with-client.ts';
import { exactlyZero, type Proof, type ProofContext } from '../proof.ts';
import { collectGarbage } from './process-usage.ts';
import { robustSlope } from './robust-slope.ts';
import { createMixedLoad, type LoadSize } from './vectors-load.ts';

/** The duration for each engine in minutes; SOAK_MINUTES=1 is for a short trial. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
/** The name of the only engine to run, such as `sqlite`. */
const onlyEngine = process.env['SOAK_ENGINE'];
const sampleEveryMs = Math.min(30, (minutes * 60) / 12) * 1_000;
const lookEveryMs = 2_000;
/** Postgres as WebAssembly takes ten times as long to write as the other engines. */
const sizeOf = (engine: string): LoadSize =>
  engine.startsWith('postgres')
    ? { documents: 40, passagesMax: 12 }
    : { documents: 200, passagesMax: 60 };
// Small, so that it is full long before the second half, which is judged. The default is larger than
// all that is read in 30 minutes.
const cacheMb = 64;
const removalSecondsMax = 60;
const waitForRemovalsMs = 120_000;

type Sample = { minute: number; rssMb: number; diskMb: number; liveMb: number };
const megabyte = 1_000_000;

export const proof: Proof = {
  claim:
    'While documents are read in, replaced, deleted and searched, memory and disk of every engine of vectors stay bounded, and deleted text is gone from the disk within a minute',
  long: true,
  async measure(context) {
    const goals: Goal[] = [];
    // One after the other: the load of each takes a processor.
    for (const { name, open } of vectorEngines) {
      if (onlyEngine !== undefined && name !== onlyEngine) continue;
      const storage = await open();
      try {
        goals.push(...(await soakEngine(name, storage, context)));
      } finally {
        await storage.remove();
      }
    }
    return goals;
  },
};

async function soakEngine(
  name: string,
  storage: VectorLocation,
  { seed, log }: ProofContext,
): Promise<Goal[]> {
  const server = await startVectorDbProcess(storage, { cacheMb, isInspected: true });
  const stopping = new AbortController();
  const stopped = new AbortController();
  try {
    const load = createMixedLoad({
      client: server.client,
      size: sizeOf(name),
      random: mulberry32(seed),
    });
    await load.fill();
    const samples: Sample[] = [];
    const removalSeconds: number[] = [];
    const traffic = load.run(stopping.signal);
    const removals = watchRemovals(storage, load.removedAt, removalSeconds, stopped.signal);
    const startedAt = performance.now();
    for (let number = 1; number * sampleEveryMs <= minutes * 60_000; number += 1) {
      await sleep(Math.max(0, startedAt + number * sampleEveryMs - performance.now()));
      // A server does this by itself (autovacuum); the one in this process does not.
      if ('url' in storage)
        await withClient(String(storage.url), (client) => client.query('vacuum'));
      // V8 gives memory back in steps of up to 60 MB, minutes after it is garbage.
      await collectGarbage(server.output());
      const sample = {
        minute: (number * sampleEveryMs) / 60_000,
        rssMb: (await server.residentBytes()) / megabyte,
        diskMb: (await storage.bytesUsed()) / megabyte,
        liveMb: load.liveBytes() / megabyte,
      };
      samples.push(sample);
      log(`${name}: ${describe(sample)}; ${JSON.stringify(load.counts)}`);
    }
    stopping.abort();
    await traffic;
    stopped.abort();
    await removals;
    for (const fault of load.faults.slice(0, 10)) log(`${name}: ${fault}`);
    return [
      exactlyZero(`${name}: failed calls and missed passages`, load.faults.length),
      exactlyZero(`${name}: deleted texts still on the disk`, load.removedAt.size),
      atMost(removalSecondsMax, {
        figure: `${name}: until a deleted text is gone from the disk, slowest of ${removalSeconds.length}`,
        value: Number(Math.max(...removalSeconds).toFixed(1)),
        unit: 's',
      }),
      ...boundsOf(name, samples),
    ];
  } finally {
    stopping.abort();
    stopped.abort();
    await server.stop();
  }
}

/** Measures how long each removed text is still to be found in the files or tables. */
async function watchRemovals(
  storage: VectorLocation,
  removedAt: Map<string, number>,
  removalSeconds: number[],
  signal: AbortSignal,
): Promise<void> {
  let endsAt = Number.POSITIVE_INFINITY;
  while (performance.now() < endsAt && !(signal.aborted && removedAt.size === 0)) {
    await sleep(lookEveryMs);
    if (signal.aborted) endsAt = Math.min(endsAt, performance.now() + waitForRemovalsMs);
    const removed = [...removedAt];
    const places = await storage.placesWith(...removed.map(([marker]) => marker));
    const found = new Set(places.map((place) => place.split(' in ')[0]));
    for (const [marker, at] of removed) {
      if (found.has(marker)) continue;
      removalSeconds.push((performance.now() - at) / 1_000);
      removedAt.delete(marker);
    }
  }
}

function boundsOf(name: string, samples: readonly Sample[]): Goal[] {
  const secondHalf = samples.slice(Math.floor(samples.length / 2));
  const slope = (read: (sample: Sample) => number) =>
    robustSlope(secondHalf.map((sample) => ({ minute: sample.minute, value: read(sample) })));
  const diskShares = secondHalf.map(({ diskMb, liveMb }) => diskMb / liveMb);
  return [
    atMost(1, {
      figure: `${name}: growth of resident memory`,
      value: slope(({ rssMb }) => rssMb),
      unit: 'MB a minute',
    }),
    atMost(0.02, {
      figure: `${name}: growth of the disk, over text and vectors`,
      value: slope(({ diskMb, liveMb }) => diskMb / liveMb),
      unit: '× a minute',
    }),
    // How much Postgres needs depends on when its server runs a vacuum.
    ...(name.startsWith('postgres')
      ? []
      : [
          atMost(3, {
            figure: `${name}: disk, over text and vectors, at most`,
            value: Math.max(...diskShares),
            unit: '×',
          }),
        ]),
  ];
}

const describe = ({ minute, rssMb, diskMb, liveMb }: Sample) =>
  `minute ${minute.toFixed(1)}, ${rssMb.toFixed(0)} MB of memory, ${diskMb.toFixed(1)} MB of disk, ${liveMb.toFixed(1)} MB of text and vectors`;
