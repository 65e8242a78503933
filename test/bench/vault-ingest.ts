import { readFile } from 'node:fs/promises';
import { atLeast, below, type Goal } from './goals.ts';
import type { VaultParts } from './vault-parts.ts';
import { createTextMaker } from './vault-text.ts';

type IngestSizes = { fileMegabytes: number; files: number; largeMegabytes: number };

const megabyte = 1_000_000;
const smallFileBytes = 100_000;
/** As many as the API has on their way at once. */
const filesAtOnce = 4;
const sampleEveryMs = 50;

/** How fast plain text becomes searchable, and what the processes grow by on the way. */
export async function measureIngest(
  parts: VaultParts,
  { fileMegabytes, files, largeMegabytes }: IngestSizes,
  seed: number,
): Promise<Goal[]> {
  const text = createTextMaker(seed);
  const send = (document: string, bytes: number) =>
    parts.client
      .ingest({
        collection: 'ingest',
        document,
        fileName: `${document}.txt`,
        body: text.file(bytes),
      })
      .then(({ passages }) => passages);
  const unit = 'MB/min';

  // First, while the processes are as small as they start.
  const grown = await growth(parts, () => send('large', largeMegabytes * megabyte));
  console.log(
    `  ${largeMegabytes} MB in one file: ${grown.result} passages in ${seconds(grown.ms)}`,
  );

  const one = await timed(() => send('one', fileMegabytes * megabyte));
  console.log(`  ${fileMegabytes} MB in one file: ${one.result} passages in ${seconds(one.ms)}`);

  const numbers = Array.from({ length: files }, (_, number) => number).values();
  const sender = async () => {
    for (const number of numbers) await send(`small-${number}`, smallFileBytes);
  };
  const many = await timed(() => Promise.all(Array.from({ length: filesAtOnce }, sender)));
  console.log(`  ${files} files of 100 kB: ${seconds(many.ms)}`);

  const perMinute = (bytes: number, ms: number) => bytes / megabyte / (ms / 60_000);
  return [
    atLeast(20, {
      figure: `ingest, one file of ${fileMegabytes} MB`,
      value: perMinute(fileMegabytes * megabyte, one.ms),
      unit,
    }),
    atLeast(20, {
      figure: `ingest, ${files} files of 100 kB`,
      value: perMinute(files * smallFileBytes, many.ms),
      unit,
    }),
    atLeast(20, {
      figure: `ingest, one file of ${largeMegabytes} MB`,
      value: perMinute(largeMegabytes * megabyte, grown.ms),
      unit,
    }),
    below(400, {
      figure: `growth of the vault by a file of ${largeMegabytes} MB`,
      value: grown.vault / megabyte,
      unit: 'MB',
    }),
    below(400, {
      figure: `growth of the vector database by a file of ${largeMegabytes} MB`,
      value: grown.vectorDb / megabyte,
      unit: 'MB',
    }),
  ];
}

/** What each process took at its largest above what it took before. */
async function growth<T>({ vault, vectorDb }: VaultParts, work: () => Promise<T>) {
  const now = async () => ({
    vault: await residentBytes(vault.pid),
    vectorDb: await residentBytes(vectorDb().pid),
  });
  const before = await now();
  const most = { ...before };
  const sampler = setInterval(async () => {
    const sample = await now();
    most.vault = Math.max(most.vault, sample.vault);
    most.vectorDb = Math.max(most.vectorDb, sample.vectorDb);
  }, sampleEveryMs);
  const done = await timed(work).finally(() => clearInterval(sampler));
  return { ...done, vault: most.vault - before.vault, vectorDb: most.vectorDb - before.vectorDb };
}

// Elsewhere than on Linux there is no figure.
async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  return (
    Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  );
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
