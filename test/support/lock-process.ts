import { lockDirectory } from '../../src/platform/database/lock.ts';

// A process for tests of the lock: takes the lock of the directory in its first argument and keeps
// it, or prints why it cannot.
try {
  lockDirectory(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  setInterval(() => {}, 1000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
