import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLiveQuery, type LiveReader } from '../../../src/graph/live/live-query.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openQuery({ everyMs = 30_000, inProgress = 'RUNNING' } = {}) {
  let result = 'first';
  let executions = 0;
  let fails = false;
  let executing = Promise.resolve();
  let changed: (targetTypes: readonly string[]) => void = () => {};
  const failures: unknown[] = [];
  const shown: string[] = [];
  const ends: (Error | undefined)[] = [];
  const reader: LiveReader = {
    show: (text) => shown.push(text),
    end: (reason) => ends.push(reason),
  };
  let isWatching = false;
  const query = createLiveQuery({
    async watchChanges(listener) {
      changed = listener;
      isWatching = true;
      return () => {
        isWatching = false;
      };
    },
    async execute() {
      executions += 1;
      const text = result;
      await executing;
      if (fails) throw new Error('the database is gone');
      return { text, hasErrors: text.includes('errors') };
    },
    source: {
      isChangedBy: (types) => types.includes('Team'),
      everyMs,
      isInProgress: (text) => text.includes(inProgress),
    },
    failed: (error) => failures.push(error),
  });
  query.add(reader);
  return {
    ...{ query, reader, shown, failures, ends },
    executions: () => executions,
    isWatching: () => isWatching,
    becomes: (text: string) => {
      result = text;
    },
    fail: (whether: boolean) => {
      fails = whether;
    },
    change: (type = 'Team') => changed([type]),
    /** Holds executions until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      executing = promise;
      return resolve;
    },
  };
}
const settle = () => vi.advanceTimersByTimeAsync(1);

it('Any number of changes during an execution causes one more', async () => {
  const opened = openQuery();
  await opened.query.started;
  const release = opened.hold();
  opened.change();
  for (let change = 0; change < 1_000; change += 1) opened.change();
  opened.becomes('last');
  await settle();
  expect(opened.executions()).toBe(2);
  release();
  await settle();
  expect(opened.executions()).toBe(3);
  expect(opened.shown).toEqual(['first', 'last']);
});

it('A change that arrives before the first result causes one more execution', async () => {
  const opened = openQuery();
  const release = opened.hold();
  await settle();
  opened.change();
  release();
  await opened.query.started;
  expect(opened.executions()).toBe(2);
});

it('A change of another type causes no execution, and an equal result is not shown', async () => {
  const opened = openQuery();
  await opened.query.started;
  opened.change('Campaign');
  await settle();
  expect(opened.executions()).toBe(1);
  opened.change();
  await settle();
  expect(opened.executions()).toBe(2);
  expect(opened.shown).toEqual(['first']);
});

it('A result with a state in progress is read again each second, and others at their interval', async () => {
  const opened = openQuery();
  opened.becomes('RUNNING');
  await opened.query.started;
  await vi.advanceTimersByTimeAsync(10_050);
  expect(opened.executions()).toBe(11);
  opened.becomes('COMPLETED');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened.shown).toEqual(['RUNNING', 'COMPLETED']);
  const after = opened.executions();
  await vi.advanceTimersByTimeAsync(26_000);
  expect(opened.executions()).toBe(after);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(opened.executions()).toBe(after + 1);
});

it('A failed execution is repeated after a second, and what was shown stays', async () => {
  const opened = openQuery();
  await opened.query.started;
  opened.fail(true);
  opened.change();
  await settle();
  expect(opened.failures).toHaveLength(1);
  opened.fail(false);
  opened.becomes('again');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened.shown).toEqual(['first', 'again']);
  expect(opened.ends).toEqual([]);
});

it('A reader that comes later gets the latest result at once, without an execution', async () => {
  const opened = openQuery();
  await opened.query.started;
  const late: string[] = [];
  opened.query.add({ show: (text) => late.push(text), end: () => {} });
  expect(late).toEqual(['first']);
  expect(opened.executions()).toBe(1);
});

it('A closed query neither watches nor executes, also if it was closed before it started', async () => {
  const opened = openQuery();
  await opened.query.started;
  expect(opened.query.remove(opened.reader)).toBe(false);
  opened.query.close();
  expect(opened.isWatching()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened.executions()).toBe(1);
  const early = openQuery();
  early.query.close();
  await early.query.started;
  expect(early.isWatching()).toBe(false);
  expect(early.executions()).toBe(0);
});
