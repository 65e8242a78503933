import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../platform/thread-priority.ts';
import { type CheckRequest, findFaults } from './find-faults.ts';

// The worker thread of check-output.ts, which is the only one to start it. It checks one value
// after another.

lowerThreadPriority();
parentPort?.on('message', ({ schema, value }: CheckRequest) =>
  parentPort?.postMessage(findFaults(schema, value)),
);
