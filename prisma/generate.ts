import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Generates the Prisma client if it is missing or older than the models, so that a fresh clone
// starts with one command and later starts lose no time.
const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = `${root}src/platform/database/generated/.made-from`;
const sources = [
  'package-lock.json',
  'prisma.config.ts',
  ...globSync('prisma/**/*.prisma', { cwd: root }).sort(),
];
const hash = createHash('sha256');
for (const source of sources) hash.update(readFileSync(`${root}${source}`));
const stamp = hash.digest('hex');

if (readStamp() !== stamp) {
  process.stderr.write('Generating the database client\n');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}node_modules/prisma/build/index.js`, 'generate'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
