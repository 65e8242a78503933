import { mkdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled code of processes that read documents, which all test files share. */
export const testCodeDirectory = join(getCompileCacheDir() ?? tmpdir(), 'readers');
mkdirSync(testCodeDirectory, { recursive: true, mode: 0o700 });
