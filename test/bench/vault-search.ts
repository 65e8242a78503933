import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import type { EmbeddedPassage } from '../../src/vault/passage.ts';
import { atMost, below, type Goal } from './goals.ts';
import { cpuMsOf } from './load.ts';
import { collection, measureQuestions, type SearchLatency, search } from './vault-questions.ts';
import { labelOf, measureTogether, measureWhileReading } from './vault-search-load.ts';
import { residentBytes, type VaultServers } from './vault-servers.ts';
import { createTextMaker, type TextMaker } from './vault-text.ts';

const passagesPerDocument = 5_000;

type SizeGoals = { count: number; p50Ms: number; p99Ms: number; memoryMb: number };

/**
 * Measures searches with few and with many passages: their latency, alone, together and while files
 * are read in, the processor, memory and disk that they take, and how soon the vector database is
 * ready again after a restart.
 */
export async function measureSearch(
  servers: VaultServers,
  [smallCount, largeCount]: [number, number],
  seed: number,
): Promise<Goal[]> {
  const text = createTextMaker(seed);
  const small = { count: smallCount, p50Ms: 15, p99Ms: 50, memoryMb: 600 };
  const large = { count: largeCount, p50Ms: 40, p99Ms: 150, memoryMb: 2_000 };
  const goals: Goal[] = [];
  const stored = { bytes: 0 };
  await fillPassages(servers, text, { start: 0, end: smallCount, stored });
  const smallLatency = await measureQuestions(servers, text, smallCount);
  goals.push(
    ...(await goalsOfSize(servers, small, smallLatency, stored.bytes)),
    ...(await measureTogether(servers, text, smallCount)),
    ...(await measureRestart(servers, text, smallCount)),
  );
  await fillPassages(servers, text, { start: smallCount, end: largeCount, stored });
  const largeLatency = await measureQuestions(servers, text, largeCount);
  goals.push(
    ...(await goalsOfSize(servers, large, largeLatency, stored.bytes)),
    atMost(3, {
      figure: `search in ${labelOf(largeCount)}, p50 over that in ${smallCount.toLocaleString('en')}`,
      value: largeLatency.p50Ms / smallLatency.p50Ms,
      unit: '×',
    }),
    ...(await measureRestart(servers, text, largeCount)),
    ...(await measureWhileReading(servers, text, largeCount)),
  );
  return goals;
}

async function goalsOfSize(
  { vectorDb, directory }: VaultServers,
  { count, p50Ms, p99Ms, memoryMb }: SizeGoals,
  latency: SearchLatency,
  storedBytes: number,
): Promise<Goal[]> {
  const label = labelOf(count);
  return [
    below(p50Ms, { figure: `search in ${label}, p50`, value: latency.p50Ms, unit: 'ms' }),
    below(p99Ms, { figure: `search in ${label}, p99`, value: latency.p99Ms, unit: 'ms' }),
    atMost(memoryMb, {
      figure: `memory of the vector database with ${label}`,
      value: Math.round((await residentBytes(vectorDb().pid)) / 1_000_000),
      unit: 'MB',
    }),
    atMost(3, {
      figure: `disk for ${label}, over their text and vectors`,
      value: Number(((await bytesIn(directory)) / storedBytes).toFixed(2)),
      unit: '×',
    }),
  ];
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** Writes directly to the vector database, in documents of some thousand passages. */
async function fillPassages(
  { vectorDb, vectorDbClient }: VaultServers,
  text: TextMaker,
  { start, end, stored }: { start: number; end: number; stored: { bytes: number } },
): Promise<void> {
  const startedAt = performance.now();
  const metadata = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
  for (let first = start; first < end; first += passagesPerDocument) {
    await vectorDbClient.put(
      collection,
      `document-${first}`,
      metadata,
      passages(text, Math.min(passagesPerDocument, end - first), stored),
    );
  }
  const filledAt = performance.now();
  await waitUntilIdle(vectorDb().pid);
  const [fillSeconds, restSeconds] = [filledAt - startedAt, performance.now() - filledAt].map(
    (ms) => Math.round(ms / 1000),
  );
  console.log(
    `  ${end.toLocaleString('en')} passages after ${fillSeconds} s, and ${restSeconds} s until the vector database was idle`,
  );
}

async function* passages(
  text: TextMaker,
  count: number,
  stored: { bytes: number },
): AsyncGenerator<EmbeddedPassage> {
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const passageText = text.passage();
    const [vector = new Float32Array()] = await hashingEmbedder.embed([passageText], 'passage');
    stored.bytes += Buffer.byteLength(passageText) + vector.byteLength;
    yield {
      ordinal,
      text: passageText,
      page: null,
      headings: [],
      start: ordinal * 2_000,
      end: ordinal * 2_000 + passageText.length,
      vector,
    };
  }
}

/**
 * Waits until the process uses less than a tenth of a CPU, so that building indexes does not
 * disturb the measurement.
 */
async function waitUntilIdle(pid: number): Promise<void> {
  for (let waited = 0; waited < 600; waited++) {
    const before = cpuMsOf(pid);
    await sleep(1_000);
    if (!(cpuMsOf(pid) - before >= 100)) return;
  }
}

async function measureRestart(
  servers: VaultServers,
  text: TextMaker,
  count: number,
): Promise<Goal[]> {
  await servers.restartVectorDb();
  const { readyMs } = servers.vectorDb();
  const startedAt = performance.now();
  await search(servers.vault.origin, text.question(0));
  const answeredMs = readyMs + performance.now() - startedAt;
  const label = labelOf(count);
  console.log(
    `  restart with ${label}: ready after ${Math.round(readyMs)} ms, first answer after ${Math.round(answeredMs)} ms`,
  );
  return [
    below(3, { figure: `restart with ${label}, until ready`, value: readyMs / 1000, unit: 's' }),
    below(3, {
      figure: `restart with ${label}, until the first answer`,
      value: answeredMs / 1000,
      unit: 's',
    }),
  ];
}
