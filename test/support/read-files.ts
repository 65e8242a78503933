import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { SourceFile } from '../../src/vault/extract/block.ts';
import {
  readDocument,
  readDocumentText,
  readLimits,
} from '../../src/vault/extract/read-document.ts';
import { createSandbox } from '../../src/vault/extract/sandbox.ts';
import type { ReadLimits, ReadPassage } from '../../src/vault/extract/worker-messages.ts';

/** Reads contents as documents, each from a file with a neutral name. */
export async function createFileReader() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-read-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  let count = 0;

  const sandbox = createSandbox({
    directory: join(folder, 'readers'),
    heapMegabytesMax: readLimits.heapMegabytesMax,
    processorSecondsMax: 600,
  });
  afterAll(() => sandbox.close());

  const sourceOf = async (content: string | Uint8Array): Promise<SourceFile> => {
    const path = join(folder, String(count++));
    await writeFile(path, content);
    return { path, bytes: Buffer.byteLength(content) };
  };

  return {
    folder,
    sandbox,
    sourceOf,
    /** The text and type, as returned by POST /v1/extract. */
    text: async (content: string | Uint8Array, unitsMax = 2_000_000) =>
      readDocumentText({ sandbox, source: await sourceOf(content), unitsMax }),
    open: async (content: string | Uint8Array) =>
      readDocument({ sandbox, source: await sourceOf(content) }),
    passages: async (content: string | Uint8Array, limits: Partial<ReadLimits> = {}) => {
      const reading = await readDocument({
        sandbox,
        source: await sourceOf(content),
        limits: { ...readLimits, ...limits },
      });
      const passages: ReadPassage[] = [];
      for await (const batch of reading.batches) passages.push(...batch);
      return { ...reading, passages, totals: await reading.finished };
    },
  };
}
