import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, start, temporaryDirectory } from '../support/process.ts';

// Other systems have no priorities of single threads, and `nice npm test` has lowered them already.
const hasPriorities = process.platform === 'linux' && getPriority() === 0;
const directory = temporaryDirectory();
let server: RunningServer | undefined;

beforeAll(async () => {
  server = await start({ DATA_DIR: directory.path });
}, 60_000);
afterAll(async () => {
  server?.process.kill();
  await server?.ended;
  directory.remove();
});

/** The priorities of the threads with this name: a higher value gets less processor time. */
function prioritiesOf(threadName: string): number[] {
  const tasks = `/proc/${server?.process.pid}/task`;
  return readdirSync(tasks)
    .filter((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === threadName)
    .map((id) => getPriority(Number(id)))
    .sort((a, b) => a - b);
}

it.skipIf(!hasPriorities)(
  'the thread that answers requests goes before the vault, the vector database and V8',
  () => {
    const ownPriority = getPriority();
    expect(prioritiesOf('MainThread')).toEqual([ownPriority]);
    const ofV8 = prioritiesOf('V8Worker');
    expect(ofV8.length).toBeGreaterThan(0);
    expect(ofV8.every((priority) => priority > ownPriority)).toBe(true);
    // The vault and the vector database.
    const lower = prioritiesOf('WorkerThread').filter((priority) => priority === ofV8[0]);
    expect(lower.length).toBeGreaterThanOrEqual(2);
    // The thread that writes the index.
    expect(prioritiesOf('WorkerThread').at(-1)).toBeGreaterThan(Number(ofV8[0]));
  },
);

it.skipIf(!hasPriorities)('the embedded database goes with the requests that wait for it', () => {
  expect(prioritiesOf('WorkerThread')[0]).toBe(getPriority());
});
