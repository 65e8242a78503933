import { setTimeout as sleep } from 'node:timers/promises';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import type { EmbeddedPassage } from '../../src/vault/passage.ts';
import { atMost, below, type Goal } from './goals.ts';
import { cpuMsOf } from './load.ts';
import { percentile } from './statistics.ts';
import { benchSecret, type VaultParts } from './vault-parts.ts';
import { createTextMaker, type TextMaker } from './vault-text.ts';

const collection = 'library';
const passagesEach = 5_000;
const questionsAsked = 600;
const questionsFirst = 100;

type Asked = { p50Ms: number; p99Ms: number };

/**
 * What a question costs with few passages and with many, and how soon a vector database with the
 * few is back after a restart.
 */
export async function measureSearch(
  parts: VaultParts,
  [few, many]: [number, number],
  seed: number,
): Promise<Goal[]> {
  const text = createTextMaker(seed);
  await fill(parts, text, 0, few);
  const ofFew = await ask(parts, text, few);
  const restart = await measureRestart(parts, text, few);
  await fill(parts, text, few, many);
  const ofMany = await ask(parts, text, many);
  const [amongFew, amongMany] = [few, many].map(
    (count) => `${count.toLocaleString('en')} passages`,
  );
  return [
    below(15, { figure: `search in ${amongFew}, p50`, value: ofFew.p50Ms, unit: 'ms' }),
    below(50, { figure: `search in ${amongFew}, p99`, value: ofFew.p99Ms, unit: 'ms' }),
    ...restart,
    atMost(45, { figure: `search in ${amongMany}, p50`, value: ofMany.p50Ms, unit: 'ms' }),
    atMost(150, { figure: `search in ${amongMany}, p99`, value: ofMany.p99Ms, unit: 'ms' }),
    atMost(3, {
      figure: `search in ${amongMany}, p50 over that in ${few.toLocaleString('en')}`,
      value: ofMany.p50Ms / ofFew.p50Ms,
      unit: '×',
    }),
  ];
}

/** Straight into the vector database, in documents of some thousand passages. */
async function fill(
  { vectorDb, vectorDbClient }: VaultParts,
  text: TextMaker,
  from: number,
  to: number,
): Promise<void> {
  const startedAt = performance.now();
  const about = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
  for (let first = from; first < to; first += passagesEach) {
    await vectorDbClient.put(
      collection,
      `document-${first}`,
      about,
      passages(text, Math.min(passagesEach, to - first)),
    );
  }
  const filledAt = performance.now();
  await settled(vectorDb().pid);
  const [fillSeconds, restSeconds] = [filledAt - startedAt, performance.now() - filledAt].map(
    (ms) => Math.round(ms / 1000),
  );
  console.log(
    `  ${to.toLocaleString('en')} passages after ${fillSeconds} s, and ${restSeconds} s until the vector database was at rest`,
  );
}

async function* passages(text: TextMaker, count: number): AsyncGenerator<EmbeddedPassage> {
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const made = text.passage();
    const [vector = new Float32Array()] = await hashingEmbedder.embed([made], 'passage');
    yield {
      ordinal,
      text: made,
      page: null,
      headings: [],
      start: ordinal * 2_000,
      end: ordinal * 2_000 + made.length,
      vector,
    };
  }
}

/**
 * Until it uses less than a tenth of a processor, so that what is asked does not share it with the
 * building of indexes.
 */
async function settled(pid: number): Promise<void> {
  for (let waited = 0; waited < 600; waited++) {
    const before = cpuMsOf(pid);
    await sleep(1_000);
    if (!(cpuMsOf(pid) - before >= 100)) return;
  }
}

/** One question after the other, through the vault. */
async function ask({ vault }: VaultParts, text: TextMaker, count: number): Promise<Asked> {
  const times: number[] = [];
  let found = 0;
  for (let number = 0; number < questionsFirst + questionsAsked; number++) {
    const startedAt = performance.now();
    const passagesFound = await search(vault.origin, text.question(number));
    if (number < questionsFirst) continue;
    times.push(performance.now() - startedAt);
    if (passagesFound > 0) found++;
  }
  if (found < questionsAsked)
    throw new Error(`${questionsAsked - found} of ${questionsAsked} questions found nothing`);
  const asked = { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  console.log(
    `  ${questionsAsked} questions in ${count.toLocaleString('en')} passages: p50 ${asked.p50Ms.toFixed(1)} ms, p99 ${asked.p99Ms.toFixed(1)} ms`,
  );
  return asked;
}

async function search(origin: string, query: string): Promise<number> {
  const response = await fetch(`${origin}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchSecret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection, query }),
  });
  const body: unknown = await response.json();
  const found: unknown[] = Object(body).passages;
  if (!response.ok) throw new Error(`a search answered ${response.status}`);
  return found.length;
}

async function measureRestart(parts: VaultParts, text: TextMaker, count: number): Promise<Goal[]> {
  await parts.restartVectorDb();
  const { readyMs } = parts.vectorDb();
  const startedAt = performance.now();
  await search(parts.vault.origin, text.question(0));
  const answeredMs = readyMs + performance.now() - startedAt;
  const among = `${count.toLocaleString('en')} passages`;
  console.log(
    `  restart with ${among}: ready after ${Math.round(readyMs)} ms, first answer after ${Math.round(answeredMs)} ms`,
  );
  return [
    below(3, { figure: `restart with ${among}, until ready`, value: readyMs / 1000, unit: 's' }),
    below(3, {
      figure: `restart with ${among}, until the first answer`,
      value: answeredMs / 1000,
      unit: 's',
    }),
  ];
}
