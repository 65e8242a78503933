import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../src/platform/errors.ts';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { createVaultClient } from '../../../src/vault/client.ts';
import type { RunningServer } from '../../support/process.ts';
import type { DemoKeys } from './load/mixed-load.ts';
import { graph } from './load/send-request.ts';

type FileSummary = {
  id: string;
  hash: string;
  processingStatus: string;
  processingError: { code: string } | null;
};
type AssistantFiles = { id: string; files: { nodes: FileSummary[] } };

const waitMsMax = 90_000;
// After ten kills during its processing a file is marked as FAILED with this code and not retried.
const abandonedCode = 'PROCESSING_FAILED';
const everyMs = 500;

/**
 * Waits until database, storage and vault agree about the files. Returns the differences that
 * remain after 90 s.
 */
export async function waitUntilStoresAgree(
  running: RunningServer,
  directory: string,
  keys: DemoKeys,
  { orphans }: { orphans: 'allowed' | 'gone' },
): Promise<string[]> {
  const secret = readFileSync(join(directory, 'vault-secret'), 'utf8').trim();
  const vault = createVaultClient({ url: running.addresses['vault'] ?? '', secret });
  try {
    for (const endsAt = performance.now() + waitMsMax; ; await pause(everyMs)) {
      const differences = await findDifferences(running, directory, keys, vault, orphans);
      if (differences.length === 0 || performance.now() > endsAt) return differences;
    }
  } finally {
    vault.close();
  }
}

/** Counts the files that the server abandoned after ten kills. */
export async function countAbandonedFiles(running: RunningServer, keys: DemoKeys): Promise<number> {
  const { assistants } = await graph(
    running,
    keys.userKey,
    '{ assistants { nodes { files { nodes { id hash processingStatus processingError { code } } } } } }',
  );
  return (Object(assistants).nodes as AssistantFiles[])
    .flatMap(({ files }) => files.nodes)
    .filter(({ processingError }) => processingError?.code === abandonedCode).length;
}

/**
 * Sets the age of all stored objects to three hours. The cleanup keeps younger objects without a
 * row, because their upload may be in progress.
 */
export function ageStoredFiles(directory: string): void {
  const then = new Date(Date.now() - 3 * 60 * 60 * 1000);
  for (const name of readdirSync(join(directory, 'files'), { recursive: true, encoding: 'utf8' }))
    utimesSync(join(directory, 'files', name), then, then);
}

async function findDifferences(
  { address }: RunningServer,
  directory: string,
  keys: DemoKeys,
  vault: ReturnType<typeof createVaultClient>,
  orphans: 'allowed' | 'gone',
) {
  const { assistants } = await graph(
    { address },
    keys.userKey,
    '{ assistants { nodes { id files { nodes { id hash processingStatus processingError { code } } } } } }',
  );
  const differences: string[] = [];
  const rows = new Map(
    (Object(assistants).nodes as AssistantFiles[]).flatMap(({ files }) =>
      files.nodes.map((file) => [file.id, file]),
    ),
  );
  for (const { id, processingStatus, processingError } of rows.values()) {
    if (processingStatus !== 'COMPLETED' && processingError?.code !== abandonedCode)
      differences.push(`file ${id} is ${processingStatus} ${processingError?.code ?? ''}`);
  }

  const storage = createDiskStorage({ directory: join(directory, 'files'), isSoleUser: false });
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
        // The collection may have been removed since it was listed.
        if (error instanceof AppError && error.code === 'NOT_FOUND') return [];
        throw error;
      },
    );
    for (const { document } of pages.flatMap((page) => page.documents)) documents.add(document);
  }
  for (const { id, processingError } of rows.values())
    if (processingError?.code !== abandonedCode && !documents.has(id))
      differences.push(`file ${id} has no passages`);
  for (const document of documents)
    if (!rows.has(document)) differences.push(`document ${document} has no row`);
  return differences;
}

async function everyPage<ListPage extends { next: string | null }>(
  read: (after: { after?: string }) => Promise<ListPage>,
): Promise<ListPage[]> {
  const pages: ListPage[] = [];
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
