import { parentPort } from 'node:worker_threads';
import { type CheckRequest, findFaults } from './find-faults.ts';

// The worker thread of check-output.ts, which is the only one to start it. It checks one value
// after another.

parentPort?.on('message', ({ schema, value }: CheckRequest) =>
  parentPort?.postMessage(findFaults(schema, value)),
);
