import { isDeepStrictEqual } from 'node:util';
import { type Asked, graphFaultOf, type Line, persist, type Told } from './ask.ts';

/** What stands under a name such as `team:<id>`. */
export type Objects = Map<string, unknown>;

/** What a request is to change. What it makes has no id before somebody is told, or finds it. */
export type Change = {
  made?: { kind: string; state: unknown };
  put?: [string, unknown][];
  gone?: string[];
};

export type Deed = {
  asked: Asked;
  change: Change;
  /** The action that the audit log has of it, and upon what; absent where that is what it makes. */
  action: string;
  target?: string;
  /** Where the answer names what was made. */
  idIn?: (body: Record<string, unknown>) => unknown;
};

type Pending = Deed & { found: 'nothing yet' | 'done' | 'not done'; id?: string };

/**
 * What must be there: everything that was acknowledged, and of one deed at most it is not known
 * whether it was done.
 */
export class Ledger {
  readonly objects: Objects = new Map();
  /** How often the audit log must tell each `action target`. */
  readonly told = new Map<string, number>();
  readonly faults: string[] = [];
  readonly counts = { acknowledged: 0, unanswered: 0, foundDone: 0, foundNotDone: 0, repeated: 0 };
  #pending: Pending | undefined;

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** Does it, and believes what it is told. Nothing else may be done meanwhile. */
  async perform(line: Line, deed: Deed): Promise<void> {
    this.#pending = { ...deed, found: 'nothing yet' };
    await this.finish(line);
  }

  /** Sends what was not answered again, or for the first time. */
  async finish(line: Line): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    let answer: Told;
    try {
      answer = await persist(line, pending.asked);
    } catch (error) {
      this.counts.unanswered += 1;
      throw error;
    }
    this.#pending = undefined;
    if (answer.status !== 200 || graphFaultOf(answer)) {
      this.#blame(pending, `was answered ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    this.counts.acknowledged += 1;
    const id = pending.idIn === undefined ? undefined : String(pending.idIn(answer.body));
    if (pending.found === 'done') {
      this.counts.repeated += 1;
      if (id !== pending.id) this.#blame(pending, `was done again: ${id} beside ${pending.id}`);
      if (!answer.headers.has('idempotency-replayed'))
        this.#blame(pending, 'was found done, and done anew');
    } else this.#write(pending, id);
  }

  /** Compares with what is there: all of it, and of a deed without an answer all or nothing. */
  settle(found: Objects): void {
    const pending = this.#pending;
    if (pending?.found !== 'nothing yet' && pending?.found !== 'not done') {
      this.#compare(found);
      return;
    }
    const id = pending.change.made && this.#idOfNew(found, pending.change.made);
    const after = applied(this.objects, pending.change, id);
    if (after && isDeepStrictEqual(sorted(found), sorted(after))) {
      this.#write(pending, id);
      this.counts.foundDone += 1;
      this.#pending =
        pending.asked.again === undefined
          ? undefined
          : { ...pending, found: 'done', ...(id === undefined ? {} : { id }) };
    } else {
      this.#compare(found);
      this.counts.foundNotDone += 1;
      this.#pending =
        pending.asked.again === undefined ? undefined : { ...pending, found: 'not done' };
    }
  }

  #write(pending: Pending, id: string | undefined): void {
    const after = applied(this.objects, pending.change, id);
    if (!after) {
      this.#blame(pending, 'told no id');
      return;
    }
    this.objects.clear();
    for (const [name, state] of after) this.objects.set(name, state);
    const entry = `${pending.action} ${pending.target ?? id}`;
    this.told.set(entry, (this.told.get(entry) ?? 0) + 1);
  }

  #compare(found: Objects): void {
    const names = new Set([...this.objects.keys(), ...found.keys()]);
    for (const name of names) {
      const [expected, there] = [this.objects.get(name), found.get(name)];
      if (isDeepStrictEqual(expected, there)) continue;
      const open = this.#pending ? `, after ${this.#pending.action} without an answer` : '';
      this.faults.push(
        `${name} must be ${JSON.stringify(expected)} and is ${JSON.stringify(there)}${open}`,
      );
    }
    // Each difference is told once.
    this.objects.clear();
    for (const [name, state] of found) this.objects.set(name, state);
  }

  #idOfNew(found: Objects, { kind, state }: { kind: string; state: unknown }): string | undefined {
    const fresh = [...found].find(
      ([name, there]) =>
        !this.objects.has(name) && name.startsWith(`${kind}:`) && isDeepStrictEqual(there, state),
    );
    return fresh?.[0].slice(kind.length + 1);
  }

  #blame({ asked, action }: Pending, what: string): void {
    this.faults.push(`${action} (${asked.method} ${asked.path}) ${what}`);
  }
}

/** Undefined where something was to be made and nobody knows its id. */
function applied(
  objects: Objects,
  { made, put = [], gone = [] }: Change,
  id: string | undefined,
): Objects | undefined {
  if (made && id === undefined) return undefined;
  const after = new Map(objects);
  for (const name of gone) after.delete(name);
  for (const [name, state] of put) after.set(name, state);
  if (made) after.set(`${made.kind}:${id}`, made.state);
  return after;
}

const sorted = (objects: Objects) => [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
