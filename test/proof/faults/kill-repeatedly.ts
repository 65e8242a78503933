import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { type RunningServer, run, serverProgram, start } from '../../support/process.ts';
import { type SeededRandom, seededRandom } from '../fuzz/seeded-random.ts';
import { exactlyZero, type ProofContext, type ProofFinding } from '../proof.ts';
import { ageStoredFiles, countAbandonedFiles, waitUntilStoresAgree } from './compare-stores.ts';
import { type DatabaseKind, type DataLocation, openDataLocation } from './data-location.ts';
import { type MixedLoad, mixedLoad, readKeys } from './load/mixed-load.ts';
import { auditDifferences, readTables } from './read-tables.ts';

const kills = 50;
// The server is killed after up to 60 acknowledged writes and up to 60 ms, or after 15 s at most.
const acknowledgedMax = 60;
const graceMsMax = 60;
const aliveMsMax = 15_000;
// A file claimed by a killed process waits until its lease ends. After every tenth kill the proof
// waits until all files are processed.
const restEvery = 10;
const startsMax = 3;

type KillFaults = {
  counters: string[];
  incompleteRows: string[];
  audit: string[];
  stores: string[];
  starts: string[];
};

/**
 * Starts the server on the same data again and again and kills it under mixed load. A model of the
 * acknowledged writes says which state the server must show after each start.
 */
export async function killRepeatedly(
  kind: DatabaseKind,
  { seed, log }: ProofContext,
): Promise<ProofFinding[]> {
  const location = await openDataLocation(kind);
  const random = seededRandom(seed, 1_000);
  const faults: KillFaults = {
    counters: [],
    incompleteRows: [],
    audit: [],
    stores: [],
    starts: [],
  };
  const alive = new Set<RunningServer>();
  const startServer = async (): Promise<RunningServer> => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const running = await start(location.settings);
        alive.add(running);
        return running;
      } catch (error) {
        faults.starts.push(String(error).slice(0, 1_000));
        if (attempts >= startsMax) throw error;
      }
    }
  };
  const killServer = async (running: RunningServer): Promise<void> => {
    running.process.kill('SIGKILL');
    await running.ended;
    alive.delete(running);
  };
  try {
    let running = await startServer();
    const load = mixedLoad(await readKeys(running, running.output()), seed);
    for (let kill = 1; kill <= kills; kill += 1) {
      await workUntilKilled(load, running, () => killServer(running), random);
      const { wrongCounters, incompleteRows, auditEntries } =
        await location.withDatabase(readTables);
      faults.counters.push(...wrongCounters);
      faults.incompleteRows.push(...incompleteRows);
      if (random.percent(20)) await killWhileItStarts(location, random);
      running = await startServer();
      await load.check(running);
      faults.audit.push(...auditDifferences(load.auditEntries(), auditEntries));
      if (kill % restEvery === 0)
        faults.stores.push(
          ...(await waitUntilStoresAgree(running, location.directory, load.keys, {
            orphans: 'allowed',
          })),
        );
      reportProgress(log, `${kind} ${kill}`, load, faults);
    }
    await load.finish(running);
    await load.check(running);
    const abandonedFiles = await countAbandonedFiles(running, load.keys);
    faults.stores.push(
      ...(await waitUntilStoresAgree(running, location.directory, load.keys, {
        orphans: 'allowed',
      })),
    );
    await killServer(running);
    const { auditEntries, wrongCounters, incompleteRows } = await location.withDatabase(readTables);
    faults.counters.push(...wrongCounters);
    faults.incompleteRows.push(...incompleteRows);
    faults.audit.push(...auditDifferences(load.auditEntries(), auditEntries));
    ageStoredFiles(location.directory);
    running = await startServer();
    faults.stores.push(
      ...(await waitUntilStoresAgree(running, location.directory, load.keys, { orphans: 'gone' })),
    );
    await killServer(running);
    reportProgress(log, `${kind} at the end`, load, faults);
    return findingsOf(kind, load, faults, abandonedFiles);
  } finally {
    for (const running of alive) await killServer(running);
    await location.close();
  }
}

async function workUntilKilled(
  load: MixedLoad,
  running: RunningServer,
  killServer: () => Promise<void>,
  random: SeededRandom,
): Promise<void> {
  const stopping = new AbortController();
  const working = load.work(running, stopping.signal);
  const enough = load.count('acknowledged') + random.below(acknowledgedMax);
  for (
    const endsAt = performance.now() + aliveMsMax;
    load.count('acknowledged') < enough && performance.now() < endsAt;
  )
    await pause(5);
  await pause(random.below(graceMsMax));
  await killServer();
  stopping.abort();
  await working;
}

async function killWhileItStarts(location: DataLocation, random: SeededRandom): Promise<void> {
  const { child, ended } = run(serverProgram(), {
    ...location.settings,
    PORT: '0',
    VAULT_PORT: '0',
    VECTOR_DB_PORT: '0',
  });
  await pause(random.below(4_000));
  child.kill('SIGKILL');
  await ended;
}

const reportedMax = 5;
const reportedFaults = new Set<string>();

function reportProgress(
  log: ProofContext['log'],
  when: string,
  load: MixedLoad,
  faults: KillFaults,
): void {
  const { acknowledged, unanswered } = {
    acknowledged: load.count('acknowledged'),
    unanswered: load.count('unanswered'),
  };
  log(
    `${when}: ${acknowledged} acknowledged, ${unanswered} unanswered (${load.count('foundDone')} done, ${load.count('foundNotDone')} not)`,
  );
  const newFaults = [...load.faults(), ...Object.values(faults).flat()].filter(
    (fault) => !reportedFaults.has(fault),
  );
  for (const fault of newFaults) reportedFaults.add(fault);
  for (const fault of newFaults.slice(0, reportedMax)) log(`  FAULT ${fault}`);
  if (newFaults.length > reportedMax) log(`  … and ${newFaults.length - reportedMax} more`);
}

function findingsOf(
  kind: DatabaseKind,
  load: MixedLoad,
  faults: KillFaults,
  abandonedFiles: number,
): ProofFinding[] {
  const unit = '';
  return [
    atLeast(kills, { figure: `${kind}: kills under load`, value: kills, unit }),
    atLeast(10 * kills, {
      figure: `${kind}: acknowledged writes`,
      value: load.count('acknowledged'),
      unit,
    }),
    atLeast(kills, {
      figure: `${kind}: writes interrupted by a kill`,
      value: load.count('unanswered'),
      unit,
    }),
    exactlyZero(
      `${kind}: acknowledged writes that were lost, incomplete, duplicated or answered differently`,
      load.faults().length,
    ),
    exactlyZero(`${kind}: incomplete groups of rows`, faults.incompleteRows.length),
    exactlyZero(`${kind}: totals that differ from their rows`, faults.counters.length),
    exactlyZero(
      `${kind}: changes whose audit entries are missing or duplicated`,
      faults.audit.length,
    ),
    exactlyZero(
      `${kind}: unprocessed files, and stored files, rows and passages that disagree`,
      faults.stores.length,
    ),
    {
      figure: `${kind}: files abandoned after ten kills during their processing`,
      value: abandonedFiles,
      unit,
      goal: 'reported as FAILED',
      held: true,
    },
    exactlyZero(`${kind}: starts that failed`, faults.starts.length),
  ];
}
