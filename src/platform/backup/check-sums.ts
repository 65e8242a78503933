import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const sumsFile = 'SHA256SUMS';

/**
 * Writes the SHA-256 hash of every file in the directory, in the format that `sha256sum -c` reads.
 */
export async function writeCheckSums(directory: string): Promise<void> {
  const lines: string[] = [];
  for (const name of await filesIn(directory))
    lines.push(`${await hashOf(join(directory, name))}  ${name}\n`);
  const handle = await open(join(directory, sumsFile), 'wx', 0o600);
  try {
    await handle.writeFile(lines.join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Rejects with a list of every file that is unlisted, changed or missing. */
export async function requireCheckSums(directory: string): Promise<void> {
  const listed = await readSums(directory);
  const faults: string[] = [];
  for (const name of await filesIn(directory)) {
    const expected = listed.get(name);
    listed.delete(name);
    if (expected === undefined) faults.push(`${name} is not listed`);
    else if ((await hashOf(join(directory, name))) !== expected)
      faults.push(`${name} is not what was written`);
  }
  for (const name of listed.keys()) faults.push(`${name} is missing`);
  if (faults.length > 0)
    throw new Error(
      `The backup in ${directory} is damaged, and nothing was restored:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
}

async function readSums(directory: string): Promise<Map<string, string>> {
  // An error of the directory itself, which may be missing, a file, or of another user.
  const names = await readdir(directory);
  if (!names.includes(sumsFile))
    throw new Error(`${directory} is no backup, or not a whole one: it has no ${sumsFile}`);
  const text = await readFile(join(directory, sumsFile), 'utf8');
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [, hash, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      return hash && name ? [[name, hash]] : [];
    }),
  );
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name !== sumsFile)
    .sort();
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
