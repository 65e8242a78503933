import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

type BuildInput = {
  /** Printed while it is built: "Building the console". */
  title: string;
  /** Where the result belongs. */
  directory: string;
  /** Patterns of the files that it is made from. */
  sources: readonly string[];
  build: (temporaryDirectory: string) => Promise<void>;
};

/**
 * Builds what is missing or older than its sources: a fresh clone starts with one command, and later
 * starts do not pay for a build.
 */
export async function buildWhenChanged({
  title,
  directory,
  sources,
  build,
}: BuildInput): Promise<void> {
  const hash = createHash('sha256');
  for (const source of globSync([...sources], { cwd: root }).sort())
    hash.update(source).update(readFileSync(root + source));
  const sourceHash = hash.digest('hex');
  if (recordOf(directory)[0] === sourceHash) return;
  process.stderr.write(`${title}\n`);
  const temporaryDirectory = `${directory}-${process.pid}`;
  makeDirectory(temporaryDirectory);
  await build(temporaryDirectory);
  const record = [sourceHash, ...readdirSync(temporaryDirectory)];
  keepChunks(directory, temporaryDirectory);
  writeFileSync(`${temporaryDirectory}/${recordName}`, record.join('\n'));
  // The new build takes the place of the old one at the end, so that nobody reads a half-written
  // one. The old one is deleted last. Another process may do the same at this moment.
  const oldDirectory = `${temporaryDirectory}-old`;
  for (let isReplaced = false; !isReplaced; ) {
    moveIfPossible(directory, oldDirectory, 'ENOENT');
    isReplaced = moveIfPossible(temporaryDirectory, directory, 'ENOTEMPTY', 'EEXIST');
    rmSync(oldDirectory, { recursive: true, force: true });
  }
}

const recordName = '.made-from';

/** The hash of the sources of a build, and the names of its own files. */
function recordOf(directory: string): string[] {
  const file = `${directory}/${recordName}`;
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

/** The name of a part that a program loads when it needs it. It has a hash of its content. */
const chunkForm = /-[\w-]{8}\.mjs$/;

/**
 * Adds the chunks of the build that is replaced, for a program that still runs from it. Those of
 * older builds are left out.
 */
function keepChunks(from: string, to: string): void {
  for (const name of recordOf(from).slice(1)) {
    if (!chunkForm.test(name) || existsSync(`${to}/${name}`)) continue;
    try {
      linkSync(`${from}/${name}`, `${to}/${name}`);
    } catch (error) {
      // Another process has replaced the build meanwhile.
      if (Object(error).code !== 'ENOENT') throw error;
    }
  }
}

/** Whether the directory was moved, and not prevented by one of these errors. */
function moveIfPossible(from: string, to: string, ...preventedBy: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (preventedBy.includes(Object(error).code)) return false;
    throw error;
  }
}

/** Before the build, whose own error would be that of the bundler. Ends the program if it fails. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    process.stderr.write(
      `${directory} cannot be created (${code}). Run npm run build as a user who may write there.\n`,
    );
    process.exit(1);
  }
}
