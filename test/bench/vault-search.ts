import { setTimeout as sleep } from 'node:timers/promises';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import type { EmbeddedPassage } from '../../src/vault/passage.ts';
import { atMost, below, type Goal } from './goals.ts';
import { cpuMsOf } from './load.ts';
import { percentile } from './statistics.ts';
import { benchSecret, type VaultServers } from './vault-servers.ts';
import { createTextMaker, type TextMaker } from './vault-text.ts';

const collection = 'library';
const passagesPerDocument = 5_000;
const measuredQuestions = 600;
const warmUpQuestions = 100;

type SearchLatency = { p50Ms: number; p99Ms: number };

/**
 * Measures the latency of a search with few and with many passages, and how soon the vector
 * database is ready again after a restart.
 */
export async function measureSearch(
  servers: VaultServers,
  [smallCount, largeCount]: [number, number],
  seed: number,
): Promise<Goal[]> {
  const text = createTextMaker(seed);
  await fillPassages(servers, text, 0, smallCount);
  const smallLatency = await measureQuestions(servers, text, smallCount);
  const restart = await measureRestart(servers, text, smallCount);
  await fillPassages(servers, text, smallCount, largeCount);
  const largeLatency = await measureQuestions(servers, text, largeCount);
  const [smallLabel, largeLabel] = [smallCount, largeCount].map(
    (count) => `${count.toLocaleString('en')} passages`,
  );
  return [
    below(15, { figure: `search in ${smallLabel}, p50`, value: smallLatency.p50Ms, unit: 'ms' }),
    below(50, { figure: `search in ${smallLabel}, p99`, value: smallLatency.p99Ms, unit: 'ms' }),
    ...restart,
    atMost(45, { figure: `search in ${largeLabel}, p50`, value: largeLatency.p50Ms, unit: 'ms' }),
    atMost(150, { figure: `search in ${largeLabel}, p99`, value: largeLatency.p99Ms, unit: 'ms' }),
    atMost(3, {
      figure: `search in ${largeLabel}, p50 over that in ${smallCount.toLocaleString('en')}`,
      value: largeLatency.p50Ms / smallLatency.p50Ms,
      unit: '×',
    }),
  ];
}

/** Writes directly to the vector database, in documents of some thousand passages. */
async function fillPassages(
  { vectorDb, vectorDbClient }: VaultServers,
  text: TextMaker,
  start: number,
  end: number,
): Promise<void> {
  const startedAt = performance.now();
  const metadata = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
  for (let first = start; first < end; first += passagesPerDocument) {
    await vectorDbClient.put(
      collection,
      `document-${first}`,
      metadata,
      passages(text, Math.min(passagesPerDocument, end - first)),
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

async function* passages(text: TextMaker, count: number): AsyncGenerator<EmbeddedPassage> {
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const passageText = text.passage();
    const [vector = new Float32Array()] = await hashingEmbedder.embed([passageText], 'passage');
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

/** Sends one question after the other to the vault. */
async function measureQuestions(
  { vault }: VaultServers,
  text: TextMaker,
  count: number,
): Promise<SearchLatency> {
  const times: number[] = [];
  let foundCount = 0;
  for (let index = 0; index < warmUpQuestions + measuredQuestions; index++) {
    const startedAt = performance.now();
    const passagesFound = await search(vault.origin, text.question(index));
    if (index < warmUpQuestions) continue;
    times.push(performance.now() - startedAt);
    if (passagesFound > 0) foundCount++;
  }
  if (foundCount < measuredQuestions)
    throw new Error(
      `${measuredQuestions - foundCount} of ${measuredQuestions} questions found nothing`,
    );
  const latency = { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  console.log(
    `  ${measuredQuestions} questions in ${count.toLocaleString('en')} passages: p50 ${latency.p50Ms.toFixed(1)} ms, p99 ${latency.p99Ms.toFixed(1)} ms`,
  );
  return latency;
}

async function search(origin: string, query: string): Promise<number> {
  const response = await fetch(`${origin}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchSecret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection, query }),
  });
  const body: unknown = await response.json();
  const foundCount: unknown[] = Object(body).passages;
  if (!response.ok) throw new Error(`a search answered ${response.status}`);
  return foundCount.length;
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
  const label = `${count.toLocaleString('en')} passages`;
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
