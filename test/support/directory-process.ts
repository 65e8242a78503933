import { openProcessDirectory } from '../../src/platform/process-directory.ts';

// A process for tests: opens a directory below the one in its first argument and keeps it.
const { path } = await openProcessDirectory(process.argv[2] ?? '');
process.stdout.write(`${path}\n`);
setInterval(() => {}, 1000);
