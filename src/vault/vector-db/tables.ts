import type { Connection } from '@lancedb/lancedb';
import type { Log } from '../../platform/log.ts';
import { type Catalog, type Place, tableName, tablePrefix } from './catalog.ts';
import { dropTableIfAny } from './lance.ts';
import { countDataFiles, removeEmptyIndexes } from './partial-writes.ts';
import { openPassageTable, type PassageTable } from './passage-table.ts';
import { createMutex, type ReadGate } from './read-gate.ts';

const openMax = 200;

type TablesParts = {
  connection: Connection;
  /** Where the tables are files of this machine. */
  directory: string | undefined;
  catalog: Catalog;
  readers: ReadGate;
  firstGeneration: number;
  vectorIndexRowsMin: number;
  log: Log;
};

/**
 * The tables of passages: opened when they are needed, rid of dead rows in the background, closed
 * when many others are open.
 */
export function createTables({
  connection,
  directory,
  catalog,
  readers,
  firstGeneration,
  vectorIndexRowsMin,
  log,
}: TablesParts) {
  const opened = new Map<string, Promise<PassageTable | undefined>>();
  /** Generations of each table that have rows and are not live. */
  const hidden = new Map<string, Set<number>>();
  const dying = new Map<string, Set<number>>();
  const swept = new Set<string>();
  const lane = createMutex();
  let isCrowded = false;
  let isStopping = false;

  const setIn = (map: Map<string, Set<number>>, name: string) => {
    const set = map.get(name) ?? new Set<number>();
    map.set(name, set);
    return set;
  };
  const runInBackground = (what: string, work: () => Promise<unknown>) => {
    void lane(work).catch((error: unknown) => log.warn({ err: error }, what));
  };
  const of = async (place: Place, dimensionsOfNew?: number): Promise<PassageTable | undefined> => {
    const name = tableName(place);
    const opening = opened.get(name) ?? open(name, dimensionsOfNew);
    // The one used last stands last.
    opened.delete(name);
    opened.set(name, opening);
    if (opened.size > openMax && !isCrowded) {
      isCrowded = true;
      runInBackground('tables could not be closed', closeIdle);
    }
    const table = await opening.catch((error: unknown) => {
      if (opened.get(name) === opening) opened.delete(name);
      throw error;
    });
    if (table) return table;
    if (opened.get(name) === opening) opened.delete(name);
    return dimensionsOfNew === undefined ? undefined : of(place, dimensionsOfNew);
  };
  const open = async (name: string, dimensionsOfNew?: number) => {
    const table = await openPassageTable(connection, { name, dimensionsOfNew, vectorIndexRowsMin });
    if (!table) return undefined;
    if (swept.has(name)) return table;
    const orphans = (await table.generations()).filter(
      (generation) => generation <= firstGeneration && catalog.documentOf(generation) === undefined,
    );
    if (orphans.length > 0) deleteLater(table, orphans);
    swept.add(name);
    return table;
  };
  /**
   * Takes dead rows away in the background: together those that died while others were taken away.
   */
  const deleteLater = (table: PassageTable, generations: readonly number[]) => {
    for (const generation of generations) {
      setIn(hidden, table.name).add(generation);
      setIn(dying, table.name).add(generation);
    }
    runInBackground('dead passages could not be removed yet', async () => {
      const dead = [...(dying.get(table.name) ?? [])];
      dying.delete(table.name);
      if (dead.length === 0) return;
      await readers.drain();
      try {
        await table.purge(dead, async () => {
          if (directory !== undefined) await removeEmptyIndexes(directory, table.name);
        });
      } catch (error) {
        // Hidden still, and tried again with the next that die.
        for (const generation of dead) setIn(dying, table.name).add(generation);
        throw error;
      }
      for (const generation of dead) {
        hidden.get(table.name)?.delete(generation);
        catalog.forget(generation);
      }
    });
  };
  /** Nobody reads meanwhile, and a table that is written has something hidden. */
  const closeIdle = async () => {
    isCrowded = false;
    await readers.exclude(async () => {
      for (const [name, opening] of opened) {
        if (opened.size <= openMax) break;
        if (hidden.get(name)?.size) continue;
        opened.delete(name);
        await (await opening)?.close();
      }
    });
  };
  // After the start, one table after the other: what no document lives in is dropped as a whole,
  // and of the others those rows are removed that a kill has left, and the files that are in no
  // list. Who wants to write to what is being dropped waits for that, and makes it anew.
  const sweep = async () => {
    const places = new Map(
      [...catalog.collections.values()].flatMap(({ shelves }) => [...shelves]),
    );
    for (const name of await connection.tableNames()) {
      if (!name.startsWith(tablePrefix) || places.has(name) || opened.has(name)) continue;
      const dropped = dropTableIfAny(connection, name).then(() => undefined);
      opened.set(name, dropped);
      try {
        await dropped;
      } finally {
        if (opened.get(name) === dropped) opened.delete(name);
      }
    }
    for (const place of places.values()) {
      if (isStopping) return;
      const table = await of(place);
      if (table && directory !== undefined)
        await table.removeTorn(() => countDataFiles(directory, table.name));
    }
  };
  const settled = async () => {
    await lane(async () => undefined);
    // What has ended by now may have handed in more.
    await lane(async () => undefined);
  };
  runInBackground('what a kill has left could not be swept yet', sweep);

  return {
    of,
    deleteLater,
    runInBackground,
    hidden: (name: string): Set<number> => setIn(hidden, name),
    /** When nothing is left to be done of what was to be done at this moment. */
    settled,
    async close(): Promise<void> {
      isStopping = true;
      await settled();
      for (const opening of opened.values()) await (await opening)?.close();
    },
  };
}
