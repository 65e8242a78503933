import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../src/platform/errors.ts';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { createVaultClient } from '../../../src/vault/client.ts';
import type { Running } from '../../support/process.ts';
import { graph } from './load/ask.ts';
import type { Keys } from './load/load.ts';

type File = {
  id: string;
  hash: string;
  processingStatus: string;
  processingError: { code: string } | null;
};
type Assistant = { id: string; files: File[] };

const settledMs = 90_000;
// A file at whose processing ten processes were killed is not tried again, and its sender is told
// so.
const givenUp = 'PROCESSING_FAILED';
const everyMs = 500;

/**
 * Waits until what rows, storage and vault say of the files is the same; what still differs after a
 * while is told.
 */
export async function untilStoresAgree(
  running: Running,
  directory: string,
  keys: Keys,
  { orphans }: { orphans: 'allowed' | 'gone' },
): Promise<string[]> {
  const secret = readFileSync(join(directory, 'vault-secret'), 'utf8').trim();
  const vault = createVaultClient({ url: running.addresses['vault'] ?? '', secret });
  try {
    for (const endsAt = performance.now() + settledMs; ; await pause(everyMs)) {
      const differences = await compare(running, directory, keys, vault, orphans);
      if (differences.length === 0 || performance.now() > endsAt) return differences;
    }
  } finally {
    vault.close();
  }
}

/** How many files are told to have been given up. */
export async function countGivenUp(running: Running, keys: Keys): Promise<number> {
  const { assistants } = await graph(
    running,
    keys.userKey,
    '{ assistants { files { id hash processingStatus processingError { code } } } }',
  );
  return (assistants as Assistant[])
    .flatMap(({ files }) => files)
    .filter(({ processingError }) => processingError?.code === givenUp).length;
}

/**
 * Makes what lies in the storage look as if it had lain there for hours: younger objects without a
 * row may be on their way in.
 */
export function ageStoredFiles(directory: string): void {
  const then = new Date(Date.now() - 3 * 60 * 60 * 1000);
  for (const name of readdirSync(join(directory, 'files'), { recursive: true, encoding: 'utf8' }))
    utimesSync(join(directory, 'files', name), then, then);
}

async function compare(
  { address }: Running,
  directory: string,
  keys: Keys,
  vault: ReturnType<typeof createVaultClient>,
  orphans: 'allowed' | 'gone',
) {
  const { assistants } = await graph(
    { address },
    keys.userKey,
    '{ assistants { id files { id hash processingStatus processingError { code } } } }',
  );
  const differences: string[] = [];
  const rows = new Map(
    (assistants as Assistant[]).flatMap(({ files }) => files.map((file) => [file.id, file])),
  );
  for (const { id, processingStatus, processingError } of rows.values()) {
    if (processingStatus !== 'COMPLETED' && processingError?.code !== givenUp)
      differences.push(`file ${id} is ${processingStatus} ${processingError?.code ?? ''}`);
  }

  const storage = createDiskStorage({ directory: join(directory, 'files'), alone: false });
  const stored = new Map<string, string>();
  for await (const { key } of storage.list()) stored.set(key.split('/')[1] ?? key, key);
  for (const { id, hash } of rows.values()) {
    const key = stored.get(id);
    if (key === undefined) differences.push(`file ${id} is not stored`);
    else if ((await hashOf(join(directory, 'files', key))) !== hash)
      differences.push(`file ${id} is stored with other content`);
  }
  const incoming = join(directory, 'files', 'incoming');
  if (orphans === 'gone') {
    for (const id of stored.keys())
      if (!rows.has(id)) differences.push(`stored file ${id} has no row`);
    for (const name of existsSync(incoming) ? readdirSync(incoming) : [])
      differences.push(`part ${name} of an upload is left`);
  }

  const collections = (await everyPage((after) => vault.collections(after))).flatMap((page) =>
    page.collections.map(({ collection }) => collection),
  );
  const documents = new Set<string>();
  for (const collection of collections) {
    const pages = await everyPage((after) => vault.documents({ collection, ...after })).catch(
      (error: unknown) => {
        // It may have been removed since it was listed.
        if (error instanceof AppError && error.code === 'NOT_FOUND') return [];
        throw error;
      },
    );
    for (const { document } of pages.flatMap((page) => page.documents)) documents.add(document);
  }
  for (const { id, processingError } of rows.values())
    if (processingError?.code !== givenUp && !documents.has(id))
      differences.push(`file ${id} has no passages`);
  for (const document of documents)
    if (!rows.has(document)) differences.push(`document ${document} has no row`);
  return differences;
}

async function everyPage<Page extends { next: string | null }>(
  read: (after: { after?: string }) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let page = await read({}); ; page = await read({ after: page.next })) {
    pages.push(page);
    if (page.next === null) return pages;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
