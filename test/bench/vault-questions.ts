import { percentile } from './statistics.ts';
import { benchSecret, type VaultServers } from './vault-servers.ts';
import type { TextMaker } from './vault-text.ts';

export const collection = 'library';
export const measuredQuestions = 600;
const warmUpQuestions = 100;

export type SearchLatency = { p50Ms: number; p99Ms: number };

/** Sends one question after the other to the vault. */
export async function measureQuestions(
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

/** Returns the number of passages found. */
export async function search(origin: string, query: string): Promise<number> {
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
