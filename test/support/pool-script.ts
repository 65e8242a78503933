import { parentPort } from 'node:worker_threads';

// Returns its input, or behaves like a hostile task.
parentPort?.on('message', (task: string) => {
  if (task === 'throw') throw new Error('a fault in the thread');
  if (task === 'exit') process.exit(1);
  while (task === 'compute for ever');
  parentPort?.postMessage(`done: ${task}`);
});
