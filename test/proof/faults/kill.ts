import { setTimeout as pause } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { type Running, run, start } from '../../support/process.ts';
import { type Chance, chanceOf } from '../fuzz/chance.ts';
import { type Attempt, type Finding, none } from '../proof.ts';
import { type Load, mixedLoad, readKeys } from './load/load.ts';
import { type Kind, openPlace, type Place } from './place.ts';
import { ageStoredFiles, countGivenUp, untilStoresAgree } from './stores.ts';
import { disagreements, readTables } from './tables.ts';

const kills = 50;
// A life ends some time after so many acknowledgements, or when it takes too long to get there.
const acknowledgedMax = 60;
const graceMsMax = 60;
const aliveMsMax = 15_000;
// Now and then all of it is let come to rest, for the claims of a dead process hold for a while.
const restEvery = 10;
const startsMax = 3;

type Faults = {
  counters: string[];
  halves: string[];
  audit: string[];
  stores: string[];
  starts: string[];
};

/**
 * So many lives of the program on the same data, each ended under mixed load; a model of what was
 * acknowledged says what must be there.
 */
export async function killOften(kind: Kind, { seed, say }: Attempt): Promise<Finding[]> {
  const place = await openPlace(kind);
  const chance = chanceOf(seed, 1_000);
  const faults: Faults = { counters: [], halves: [], audit: [], stores: [], starts: [] };
  const alive = new Set<Running>();
  const begin = async (): Promise<Running> => {
    for (let tried = 1; ; tried += 1) {
      try {
        const running = await start(place.settings);
        alive.add(running);
        return running;
      } catch (error) {
        faults.starts.push(String(error).slice(0, 1_000));
        if (tried >= startsMax) throw error;
      }
    }
  };
  const end = async (running: Running): Promise<void> => {
    running.process.kill('SIGKILL');
    await running.ended;
    alive.delete(running);
  };
  try {
    let running = await begin();
    const load = mixedLoad(await readKeys(running, running.output()), seed);
    for (let kill = 1; kill <= kills; kill += 1) {
      await workUntilKilled(load, running, () => end(running), chance);
      const { wrongCounters, halves, told } = await place.look((database) => readTables(database));
      faults.counters.push(...wrongCounters);
      faults.halves.push(...halves);
      if (chance.percent(20)) await killWhileItStarts(place, chance);
      running = await begin();
      await load.check(running);
      faults.audit.push(...disagreements(load.told(), told));
      if (kill % restEvery === 0)
        faults.stores.push(
          ...(await untilStoresAgree(running, place.directory, load.keys, { orphans: 'allowed' })),
        );
      tell(say, `${kind} ${kill}`, load, faults);
    }
    await load.finish(running);
    await load.check(running);
    const givenUp = await countGivenUp(running, load.keys);
    faults.stores.push(
      ...(await untilStoresAgree(running, place.directory, load.keys, { orphans: 'allowed' })),
    );
    await end(running);
    const { told, wrongCounters, halves } = await place.look((database) => readTables(database));
    faults.counters.push(...wrongCounters);
    faults.halves.push(...halves);
    faults.audit.push(...disagreements(load.told(), told));
    ageStoredFiles(place.directory);
    running = await begin();
    faults.stores.push(
      ...(await untilStoresAgree(running, place.directory, load.keys, { orphans: 'gone' })),
    );
    await end(running);
    tell(say, `${kind} at the end`, load, faults);
    return findingsOf(kind, load, faults, givenUp);
  } finally {
    for (const running of alive) await end(running);
    await place.close();
  }
}

async function workUntilKilled(
  load: Load,
  running: Running,
  end: () => Promise<void>,
  chance: Chance,
): Promise<void> {
  const stopping = new AbortController();
  const working = load.work(running, stopping.signal);
  const enough = load.count('acknowledged') + chance.below(acknowledgedMax);
  for (
    const endsAt = performance.now() + aliveMsMax;
    load.count('acknowledged') < enough && performance.now() < endsAt;
  )
    await pause(5);
  await pause(chance.below(graceMsMax));
  await end();
  stopping.abort();
  await working;
}

async function killWhileItStarts(place: Place, chance: Chance): Promise<void> {
  const { child, ended } = run('src/main.ts', {
    ...place.settings,
    PORT: '0',
    VAULT_PORT: '0',
    VECTOR_DB_PORT: '0',
  });
  await pause(chance.below(4_000));
  child.kill('SIGKILL');
  await ended;
}

const toldMax = 5;
const told = new Set<string>();

function tell(say: Attempt['say'], when: string, load: Load, faults: Faults): void {
  const { acknowledged, unanswered } = {
    acknowledged: load.count('acknowledged'),
    unanswered: load.count('unanswered'),
  };
  say(
    `${when}: ${acknowledged} acknowledged, ${unanswered} unanswered (${load.count('foundDone')} done, ${load.count('foundNotDone')} not)`,
  );
  const fresh = [...load.faults(), ...Object.values(faults).flat()].filter(
    (fault) => !told.has(fault),
  );
  for (const fault of fresh) told.add(fault);
  for (const fault of fresh.slice(0, toldMax)) say(`  FAULT ${fault}`);
  if (fresh.length > toldMax) say(`  … and ${fresh.length - toldMax} more`);
}

function findingsOf(kind: Kind, load: Load, faults: Faults, givenUp: number): Finding[] {
  const unit = '';
  return [
    atLeast(kills, { figure: `${kind}: kills under load`, value: kills, unit }),
    atLeast(10 * kills, {
      figure: `${kind}: writes that were acknowledged`,
      value: load.count('acknowledged'),
      unit,
    }),
    atLeast(kills, {
      figure: `${kind}: writes that a kill cut off`,
      value: load.count('unanswered'),
      unit,
    }),
    none(
      `${kind}: acknowledged writes lost, half done, done twice or answered otherwise`,
      load.faults().length,
    ),
    none(`${kind}: rows that belong to nothing`, faults.halves.length),
    none(`${kind}: totals that differ from their rows`, faults.counters.length),
    none(`${kind}: changes that the audit log tells wrongly`, faults.audit.length),
    none(
      `${kind}: files stuck, or stored files, rows and passages that disagree`,
      faults.stores.length,
    ),
    {
      figure: `${kind}: files given up after ten kills at their processing`,
      value: givenUp,
      unit,
      goal: 'told as FAILED',
      held: true,
    },
    none(`${kind}: starts that failed`, faults.starts.length),
  ];
}
