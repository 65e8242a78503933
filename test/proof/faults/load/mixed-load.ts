import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../fuzz/seeded-random.ts';
import type { Ledger } from './ledger.ts';
import { libraryActor } from './library-actor.ts';
import { partnerActor } from './partner-actor.ts';
import { peopleActor } from './people-actor.ts';
import { readState } from './read-state.ts';
import { runActor } from './run-actor.ts';
import { graph, type ServerAddress, Unanswered } from './send-request.ts';
import { signInActor } from './sign-in-actor.ts';

/** The keys, the account and the ids of the demo workspace. */
export type DemoKeys = {
  organizationKey: string;
  userKey: string;
  email: string;
  password: string;
  defaultTeamId: string;
  assistantId: string;
};

/** A client that sends one write after the other to objects that no other actor changes. */
export type LoadActor = {
  name: string;
  ledger: Ledger;
  restMs?: number;
  step(server: ServerAddress): Promise<void>;
  verify?(server: ServerAddress): Promise<void>;
};

export type MixedLoad = ReturnType<typeof mixedLoad>;

/** Reads the keys of the demo workspace from the output of the first start. */
export async function readKeys(server: ServerAddress, output: string): Promise<DemoKeys> {
  const match = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
  const organizationKey = match(/organization key {2}(\S+)/);
  const [email, password, userKey] = [
    match(/admin +(\S+)/),
    match(/admin .*password (\S+)/),
    match(/admin .* key (\S+)/),
  ];
  const { teams } = await graph(server, organizationKey, '{ teams { nodes { id isDefault } } }');
  const { assistants } = await graph(server, userKey, '{ assistants { nodes { id name } } }');
  const idOf = (rows: unknown, is: (row: Record<string, unknown>) => boolean) =>
    String(Object(rows).nodes.find(is)?.id);
  const defaultTeamId = idOf(teams, ({ isDefault }) => isDefault === true);
  return {
    organizationKey,
    userKey,
    email,
    password,
    defaultTeamId,
    assistantId: idOf(assistants, ({ name }) => name === 'Handbook'),
  };
}

/** Nine actors that write at the same time; each keeps a ledger of its acknowledged writes. */
export function mixedLoad(keys: DemoKeys, seed: number) {
  const actors: LoadActor[] = [
    ...['anna', 'bert'].map((name, index) => peopleActor(name, keys, seededRandom(seed, index))),
    ...['carl', 'dora'].map((name, index) =>
      partnerActor(name, keys, seededRandom(seed, 10 + index)),
    ),
    ...['emma', 'fred', 'gina'].map((name, index) =>
      libraryActor(name, keys, seededRandom(seed, 20 + index)),
    ),
    runActor('hugo', keys, seededRandom(seed, 30)),
    signInActor('iris', keys, seededRandom(seed, 40)),
  ];
  const ledgers = actors.map(({ ledger }) => ledger);

  return {
    keys,
    ledgers,
    /** Sends writes until the server no longer answers or `stopping` is aborted. */
    async work(server: ServerAddress, stopping: AbortSignal): Promise<void> {
      await Promise.all(
        actors.map(async ({ ledger, restMs, step }) => {
          try {
            while (!stopping.aborted) {
              await (ledger.isPending ? ledger.finish(server) : step(server));
              if (restMs)
                await pause(restMs, undefined, { signal: stopping }).catch(() => undefined);
            }
          } catch (error) {
            if (!(error instanceof Unanswered)) throw error;
          }
        }),
      );
    },
    /** Compares the state of the server with the ledgers. No actor may be writing. */
    async check(server: ServerAddress): Promise<void> {
      const actual = await readState(server, keys);
      for (const { name, ledger } of actors) ledger.reconcile(actual.get(name) ?? new Map());
      for (const { verify } of actors) await verify?.(server);
    },
    /** Repeats every write without an answer until it is answered. */
    async finish(server: ServerAddress): Promise<void> {
      for (const ledger of ledgers) await ledger.finish(server);
    },
    /** How many audit entries must exist for each `action target`. */
    auditEntries: () => new Map(ledgers.flatMap(({ auditEntries }) => [...auditEntries])),
    faults: () => ledgers.flatMap(({ faults }) => faults),
    count: (what: keyof Ledger['counts']) =>
      ledgers.reduce((sum, { counts }) => sum + counts[what], 0),
  };
}
