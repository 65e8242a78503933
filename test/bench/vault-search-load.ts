import { atLeast, atMost, below, type Goal } from './goals.ts';
import { cpuMsOf } from './load.ts';
import { collection, measuredQuestions, measureQuestions, search } from './vault-questions.ts';
import type { VaultServers } from './vault-servers.ts';
import type { TextMaker } from './vault-text.ts';

export const labelOf = (count: number) => `${count.toLocaleString('en')} passages`;

const askersTogether = 8;

/** Eight people who each ask the next question after the answer. */
export async function measureTogether(
  { vault, vectorDb }: VaultServers,
  text: TextMaker,
  count: number,
): Promise<Goal[]> {
  const cpuBefore = cpuMsOf(vault.pid) + cpuMsOf(vectorDb().pid);
  const startedAt = performance.now();
  const questions = Array.from({ length: measuredQuestions }, (_, index) => index).values();
  const ask = async () => {
    for (const index of questions) await search(vault.origin, text.question(index));
  };
  await Promise.all(Array.from({ length: askersTogether }, ask));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = cpuMsOf(vault.pid) + cpuMsOf(vectorDb().pid) - cpuBefore;
  return [
    atLeast(120, {
      figure: `search in ${labelOf(count)}, ${askersTogether} at once`,
      value: Math.round(measuredQuestions / seconds),
      unit: 'a second',
    }),
    below(10, {
      figure: `processor for a question in ${labelOf(count)}`,
      value: Number((cpuMs / measuredQuestions).toFixed(1)),
      unit: 'ms',
    }),
  ];
}

const readingFileBytes = 400_000;
const filesRead = 4;

/** Searches while files are read in as fast as possible, in relation to quiet ones just before. */
export async function measureWhileReading(
  servers: VaultServers,
  text: TextMaker,
  count: number,
): Promise<Goal[]> {
  const quiet = await measureQuestions(servers, text, count);
  let isDone = false;
  let files = 0;
  const read = async () => {
    while (!isDone) {
      files += 1;
      await servers.client.ingest({
        collection,
        document: `read-${files}`,
        fileName: 'read.txt',
        body: text.file(readingFileBytes),
      });
    }
  };
  const reading = Array.from({ length: filesRead }, read);
  const loaded = await measureQuestions(servers, text, count).finally(() => {
    isDone = true;
  });
  await Promise.all(reading);
  console.log(`  meanwhile ${files} files of 400 kB were read in`);
  return [
    atMost(4, {
      figure: `search in ${labelOf(count)} while files are read in, p99 over the quiet one`,
      value: Number((loaded.p99Ms / quiet.p99Ms).toFixed(1)),
      unit: '×',
    }),
  ];
}
