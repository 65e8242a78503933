import { setTimeout as pause } from 'node:timers/promises';
import { chanceOf } from '../../fuzz/chance.ts';
import { graph, type Line, Unanswered } from './ask.ts';
import type { Ledger } from './ledger.ts';
import { libraryActor } from './library.ts';
import { observe } from './observe.ts';
import { partnerActor } from './partner.ts';
import { peopleActor } from './people.ts';
import { runningActor } from './running.ts';
import { signingInActor } from './signing-in.ts';

/** What opens the demo workspace. */
export type Keys = {
  organizationKey: string;
  userKey: string;
  email: string;
  password: string;
  defaultTeamId: string;
  assistantId: string;
};

/** Somebody who does one thing after the other with what nobody else touches. */
export type Actor = {
  name: string;
  ledger: Ledger;
  restMs?: number;
  step(line: Line): Promise<void>;
  verify?(line: Line): Promise<void>;
};

export type Load = ReturnType<typeof mixedLoad>;

/** From what the first start prints. */
export async function readKeys(line: Line, output: string): Promise<Keys> {
  const found = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
  const organizationKey = found(/organization key {2}(\S+)/);
  const [email, password, userKey] = [
    found(/admin +(\S+)/),
    found(/admin .*password (\S+)/),
    found(/admin .* key (\S+)/),
  ];
  const { teams } = await graph(line, organizationKey, '{ teams { id isDefault } }');
  const { assistants } = await graph(line, userKey, '{ assistants { id name } }');
  const idOf = (rows: unknown, is: (row: Record<string, unknown>) => boolean) =>
    String((Array.isArray(rows) ? rows : []).find(is)?.id);
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

/**
 * People at work, of whom each remembers what they were told; a life of the program is what they do
 * until it ends.
 */
export function mixedLoad(keys: Keys, seed: number) {
  const actors: Actor[] = [
    ...['anna', 'bert'].map((name, index) => peopleActor(name, keys, chanceOf(seed, index))),
    ...['carl', 'dora'].map((name, index) => partnerActor(name, keys, chanceOf(seed, 10 + index))),
    ...['emma', 'fred', 'gina'].map((name, index) =>
      libraryActor(name, keys, chanceOf(seed, 20 + index)),
    ),
    runningActor('hugo', keys, chanceOf(seed, 30)),
    signingInActor('iris', keys, chanceOf(seed, 40)),
  ];
  const ledgers = actors.map(({ ledger }) => ledger);

  return {
    keys,
    ledgers,
    /** Works on until nobody answers any more, or until it is told to stop. */
    async work(line: Line, stopping: AbortSignal): Promise<void> {
      await Promise.all(
        actors.map(async ({ ledger, restMs, step }) => {
          try {
            while (!stopping.aborted) {
              await (ledger.isPending ? ledger.finish(line) : step(line));
              if (restMs)
                await pause(restMs, undefined, { signal: stopping }).catch(() => undefined);
            }
          } catch (error) {
            if (!(error instanceof Unanswered)) throw error;
          }
        }),
      );
    },
    /** Compares what is there now with what must be. Nobody may be at work. */
    async check(line: Line): Promise<void> {
      const found = await observe(line, keys);
      for (const { name, ledger } of actors) ledger.settle(found.get(name) ?? new Map());
      for (const { verify } of actors) await verify?.(line);
    },
    /** Has everything answered that was not. */
    async finish(line: Line): Promise<void> {
      for (const ledger of ledgers) await ledger.finish(line);
    },
    /** How often the audit log must tell each `action target`. */
    told: () => new Map(ledgers.flatMap(({ told }) => [...told])),
    faults: () => ledgers.flatMap(({ faults }) => faults),
    count: (what: keyof Ledger['counts']) =>
      ledgers.reduce((sum, { counts }) => sum + counts[what], 0),
  };
}
