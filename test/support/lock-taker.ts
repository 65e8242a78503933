import { lockDirectory } from '../../src/platform/database/lock.ts';

// A process for tests of the lock: takes the one of its first argument and holds it, or says why it
// can not.
try {
  lockDirectory(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  setInterval(() => {}, 1000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
