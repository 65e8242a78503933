import { isDeepStrictEqual } from 'node:util';
import {
  type ApiAnswer,
  type ApiRequest,
  graphErrorOf,
  type ServerAddress,
  sendUntilDone,
} from './send-request.ts';

/** The state of each object, by a name such as `team:<id>`. */
export type ObjectStates = Map<string, unknown>;

/** What a write changes. The id of a created object is known from the answer or the next read. */
export type StateChange = {
  created?: { kind: string; state: unknown };
  updated?: [string, unknown][];
  deleted?: string[];
};

export type WriteOperation = {
  request: ApiRequest;
  change: StateChange;
  /** The action and target of its audit entry; a write that creates its target leaves it out. */
  action: string;
  target?: string;
  /** Reads the id of the created object from the answer. */
  idIn?: (body: Record<string, unknown>) => unknown;
};

type PendingWrite = WriteOperation & { outcome: 'unknown' | 'done' | 'not done'; id?: string };

/**
 * The state that the server must show: every acknowledged write. The outcome of at most one write,
 * the pending one, is unknown.
 */
export class Ledger {
  readonly objects: ObjectStates = new Map();
  /** How many audit entries must exist for each `action target`. */
  readonly auditEntries = new Map<string, number>();
  readonly faults: string[] = [];
  readonly counts = { acknowledged: 0, unanswered: 0, foundDone: 0, foundNotDone: 0, repeated: 0 };
  #pending: PendingWrite | undefined;

  /** The objects of a kind, which its actor stores with this type of state. */
  objectsOf<State>(kind: string): { id: string; state: State }[] {
    return [...this.objects].flatMap(([object, state]) =>
      object.startsWith(`${kind}:`)
        ? [{ id: object.slice(kind.length + 1), state: state as State }]
        : [],
    );
  }

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** Sends a write and records it once it is acknowledged. Only one write may be in progress. */
  async perform(server: ServerAddress, operation: WriteOperation): Promise<void> {
    this.#pending = { ...operation, outcome: 'unknown' };
    await this.finish(server);
  }

  /** Sends the pending write, or repeats it when it had no answer. */
  async finish(server: ServerAddress): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    let answer: ApiAnswer;
    try {
      answer = await sendUntilDone(server, pending.request);
    } catch (error) {
      this.counts.unanswered += 1;
      throw error;
    }
    this.#pending = undefined;
    if (answer.status !== 200 || graphErrorOf(answer)) {
      this.#addFault(pending, `was answered ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    this.counts.acknowledged += 1;
    const id = pending.idIn === undefined ? undefined : String(pending.idIn(answer.body));
    if (pending.outcome === 'done') {
      this.counts.repeated += 1;
      if (id !== pending.id) this.#addFault(pending, `was executed twice: ${id} and ${pending.id}`);
      if (!answer.headers.has('idempotency-replayed'))
        this.#addFault(
          pending,
          'was already done, but its repetition was not answered from the record',
        );
    } else this.#record(pending, id);
  }

  /**
   * Compares with the state that the server shows. A write without an answer must be done
   * completely or not at all.
   */
  reconcile(actual: ObjectStates): void {
    const pending = this.#pending;
    if (pending?.outcome !== 'unknown' && pending?.outcome !== 'not done') {
      this.#compare(actual);
      return;
    }
    const id = pending.change.created && this.#idOfNew(actual, pending.change.created);
    const after = applyChange(this.objects, pending.change, id);
    if (after && isDeepStrictEqual(sorted(actual), sorted(after))) {
      this.#record(pending, id);
      this.counts.foundDone += 1;
      this.#pending =
        pending.request.idempotencyKey === undefined
          ? undefined
          : { ...pending, outcome: 'done', ...(id === undefined ? {} : { id }) };
    } else {
      this.#compare(actual);
      this.counts.foundNotDone += 1;
      this.#pending =
        pending.request.idempotencyKey === undefined
          ? undefined
          : { ...pending, outcome: 'not done' };
    }
  }

  #record(pending: PendingWrite, id: string | undefined): void {
    const after = applyChange(this.objects, pending.change, id);
    if (!after) {
      this.#addFault(pending, 'was answered without an id');
      return;
    }
    this.objects.clear();
    for (const [name, state] of after) this.objects.set(name, state);
    const entry = `${pending.action} ${pending.target ?? id}`;
    this.auditEntries.set(entry, (this.auditEntries.get(entry) ?? 0) + 1);
  }

  #compare(actual: ObjectStates): void {
    const names = new Set([...this.objects.keys(), ...actual.keys()]);
    for (const name of names) {
      const [expected, actualState] = [this.objects.get(name), actual.get(name)];
      if (isDeepStrictEqual(expected, actualState)) continue;
      const pending = this.#pending ? `, after ${this.#pending.action} without an answer` : '';
      this.faults.push(
        `${name} must be ${JSON.stringify(expected)} and is ${JSON.stringify(actualState)}${pending}`,
      );
    }
    // The ledger takes over the actual state, so that each difference is reported once.
    this.objects.clear();
    for (const [name, state] of actual) this.objects.set(name, state);
  }

  #idOfNew(
    actual: ObjectStates,
    { kind, state }: { kind: string; state: unknown },
  ): string | undefined {
    const match = [...actual].find(
      ([name, actualState]) =>
        !this.objects.has(name) &&
        name.startsWith(`${kind}:`) &&
        isDeepStrictEqual(actualState, state),
    );
    return match?.[0].slice(kind.length + 1);
  }

  #addFault({ request, action }: PendingWrite, what: string): void {
    this.faults.push(`${action} (${request.method} ${request.path}) ${what}`);
  }
}

/** The state after a change; undefined when the id of a created object is unknown. */
function applyChange(
  objects: ObjectStates,
  { created, updated = [], deleted = [] }: StateChange,
  id: string | undefined,
): ObjectStates | undefined {
  if (created && id === undefined) return undefined;
  const after = new Map(objects);
  for (const name of deleted) after.delete(name);
  for (const [name, state] of updated) after.set(name, state);
  if (created) after.set(`${created.kind}:${id}`, created.state);
  return after;
}

const sorted = (objects: ObjectStates) => [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
