import { atLeast, below, type Goal } from './goals.ts';
import { residentBytes, type VaultServers } from './vault-servers.ts';
import { createTextMaker, type TextMaker } from './vault-text.ts';

type IngestSizes = {
  fileMegabytes: number;
  files: number;
  largeMegabytes: number;
  answerMegabytes: readonly number[];
};

const megabyte = 1_000_000;
const smallFileBytes = 100_000;
/** As many files as the API sends at the same time. */
const filesAtOnce = 4;
const sampleEveryMs = 50;

/**
 * Measures how fast plain text becomes searchable, and how much memory the processes need for it.
 */
export async function measureIngest(
  servers: VaultServers,
  { fileMegabytes, files, largeMegabytes, answerMegabytes }: IngestSizes,
  seed: number,
): Promise<Goal[]> {
  const text = createTextMaker(seed);
  const send = (document: string, bytes: number) =>
    servers.client
      .ingest({
        collection: 'ingest',
        document,
        fileName: `${document}.txt`,
        body: text.file(bytes),
      })
      .then(({ passages }) => passages);
  const unit = 'MB/min';

  // This runs first, while the processes are as small as after their start.
  const growthResult = await measureGrowth(servers, () => send('large', largeMegabytes * megabyte));
  console.log(
    `  ${largeMegabytes} MB in one file: ${growthResult.result} passages in ${seconds(growthResult.ms)}`,
  );

  const singleFile = await measureTime(() => send('one', fileMegabytes * megabyte));
  console.log(
    `  ${fileMegabytes} MB in one file: ${singleFile.result} passages in ${seconds(singleFile.ms)}`,
  );

  const fileNumbers = Array.from({ length: files }, (_, number) => number).values();
  const sender = async () => {
    for (const fileNumber of fileNumbers) await send(`small-${fileNumber}`, smallFileBytes);
  };
  const manyFiles = await measureTime(() =>
    Promise.all(Array.from({ length: filesAtOnce }, sender)),
  );
  console.log(`  ${files} files of 100 kB: ${seconds(manyFiles.ms)}`);

  const perMinute = (bytes: number, ms: number) => bytes / megabyte / (ms / 60_000);
  return [
    atLeast(20, {
      figure: `ingest, one file of ${fileMegabytes} MB`,
      value: perMinute(fileMegabytes * megabyte, singleFile.ms),
      unit,
    }),
    atLeast(2_000, {
      figure: `ingest, one file of ${fileMegabytes} MB`,
      value: Math.round(singleFile.result / (singleFile.ms / 1000)),
      unit: 'passages/s',
    }),
    atLeast(60, {
      figure: `ingest, ${files} files of 100 kB`,
      value: perMinute(files * smallFileBytes, manyFiles.ms),
      unit,
    }),
    atLeast(20, {
      figure: `ingest, one file of ${largeMegabytes} MB`,
      value: perMinute(largeMegabytes * megabyte, growthResult.ms),
      unit,
    }),
    below(400, {
      figure: `growth of the vault by a file of ${largeMegabytes} MB`,
      value: growthResult.vault / megabyte,
      unit: 'MB',
    }),
    below(400, {
      figure: `growth of the vector database by a file of ${largeMegabytes} MB`,
      value: growthResult.vectorDb / megabyte,
      unit: 'MB',
    }),
    ...(await measureAnswerTimes(servers, text, answerMegabytes)),
  ];
}

const secondsToAnswer = new Map([
  [1, 2],
  [10, 5],
  [100, 60],
]);

/** How long after the begin of an upload a search finds its last sentence. */
async function measureAnswerTimes(
  { client }: VaultServers,
  text: TextMaker,
  sizes: readonly number[],
): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const megabytes of sizes) {
    const sentence = `The tower number ${megabytes} has a golden weathercock.`;
    const { ms } = await measureTime(async () => {
      await client.ingest({
        collection: 'answers',
        document: `answer-${megabytes}`,
        fileName: 'tower.txt',
        body: withLastLine(text.file(megabytes * megabyte), sentence),
      });
      const query = `golden weathercock tower number ${megabytes}`;
      const { passages } = await client.search({ collection: 'answers', query, limit: 5 });
      if (!passages.some((passage) => passage.text.includes(sentence)))
        throw new Error(`the search did not find the end of ${megabytes} MB`);
    });
    goals.push(
      below(secondsToAnswer.get(megabytes) ?? Number.NaN, {
        figure: `from the upload of ${megabytes} MB to the first right answer`,
        value: Number((ms / 1000).toFixed(2)),
        unit: 's',
      }),
    );
  }
  return goals;
}

async function* withLastLine(
  file: AsyncIterable<Uint8Array>,
  line: string,
): AsyncGenerator<Uint8Array> {
  yield* file;
  yield Buffer.from(`${line}\n`);
}

/** Measures how much the memory of each process grows at most during the work. */
async function measureGrowth<T>({ vault, vectorDb }: VaultServers, work: () => Promise<T>) {
  const sampleMemory = async () => ({
    vault: await residentBytes(vault.pid),
    vectorDb: await residentBytes(vectorDb().pid),
  });
  const before = await sampleMemory();
  const largest = { ...before };
  const sampler = setInterval(async () => {
    const sample = await sampleMemory();
    largest.vault = Math.max(largest.vault, sample.vault);
    largest.vectorDb = Math.max(largest.vectorDb, sample.vectorDb);
  }, sampleEveryMs);
  const result = await measureTime(work).finally(() => clearInterval(sampler));
  return {
    ...result,
    vault: largest.vault - before.vault,
    vectorDb: largest.vectorDb - before.vectorDb,
  };
}

async function measureTime<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
