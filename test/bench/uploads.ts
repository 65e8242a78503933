import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillWorkspace } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import type { BenchServer } from './postgres.ts';
import { ours, type Server, startServer } from './servers.ts';
import { median } from './statistics.ts';

export type UploadFigures = {
  megabytesPerSecond: number;
  bareMegabytesPerSecond: number;
  ratio: number;
  oneGrowsMb: number;
  eightGrowMb: number;
};

const megabyte = 1_048_576;
const fileBytes = 150 * megabyte;
// As long as those of browsers and of curl: it is what the parser looks for.
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

/**
 * Files of 150 MB into our server and into one that only writes them down, in turns; and by how
 * much our process grows meanwhile.
 */
export async function compareUploads(
  postgres: BenchServer,
  rounds: number,
  seed: number,
): Promise<UploadFigures> {
  const { url, run } = await postgres.createDatabase('uploads');
  const { organizationId } = await fillWorkspace(run, {
    slug: 'uploads',
    users: 5,
    features: ['assistantFiles'],
    seed,
  });
  const { key, emptyId } = await fillFiles(run, organizationId, 0);
  const path = `/api/assistant-files/v1/assistants/${emptyId}/files`;
  const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const servers: Server[] = [];
  try {
    for (const script of [ours, 'test/bench/peers/bare-upload.ts'])
      servers.push(await startServer(script, { DATABASE_URL: url, DATA_DIR: directory }));
    const [own, bare] = servers;
    if (!own || !bare) throw new Error('the servers did not start');
    const store = () => send(own, path, key);
    const remove = async (id: string) =>
      fetch(`${own.origin}${path}/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${key}` },
      });
    const timed = async (work: () => Promise<string>) => {
      const startedAt = performance.now();
      const body = await work();
      return { rate: fileBytes / megabyte / ((performance.now() - startedAt) / 1000), body };
    };
    const idIn = (body: string): string => JSON.parse(body).file.id;
    // Both have loaded what they need, and their heaps have found their size.
    for (let warm = 0; warm < 2; warm += 1) {
      await remove(idIn(await store()));
      await send(bare, '/', key);
    }
    const [rates, bareRates]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const { rate, body } = await timed(store);
      rates.push(rate);
      await remove(idIn(body));
      bareRates.push((await timed(() => send(bare, '/', key))).rate);
      console.log(
        `  round ${round + 1}: ${rate.toFixed(0)} MB/s, bare ${bareRates.at(-1)?.toFixed(0)} MB/s`,
      );
    }
    const oneGrowsMb = await growth(own, async () => void (await remove(idIn(await store()))));
    const eightGrowMb = await growth(own, async () => {
      const bodies = await Promise.all(Array.from({ length: 8 }, store));
      for (const body of bodies) await remove(idIn(body));
    });
    const ratio = median(rates.map((rate, round) => rate / (bareRates[round] ?? Number.NaN)));
    return {
      megabytesPerSecond: median(rates),
      bareMegabytesPerSecond: median(bareRates),
      ratio,
      oneGrowsMb,
      eightGrowMb,
    };
  } finally {
    for (const server of servers) await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The bare server writes down the form as it is; so both get the same bytes. */
async function send({ origin }: Server, path: string, key: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + fileBytes + tail.length,
  };
  const sent = request(origin + path, { method: 'POST', headers });
  const answered = once(sent, 'response');
  const chunk = Buffer.alloc(megabyte, 'x');
  sent.write(head);
  for (let written = 0; written < fileBytes; written += chunk.length)
    if (!sent.write(chunk)) await once(sent, 'drain');
  sent.end(tail);
  const [response] = await answered;
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  if (response.statusCode !== 200)
    throw new Error(`an upload was answered with ${response.statusCode}: ${Buffer.concat(pieces)}`);
  return Buffer.concat(pieces).toString();
}

/** How much more memory a process holds at the most while something is done. Linux only. */
async function growth({ pid }: Server, work: () => Promise<void>): Promise<number> {
  await sleep(1_000);
  const before = residentMb(pid);
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(watching);
  }
  return most - before;
}

function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
