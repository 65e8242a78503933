import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillOrganization } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import type { BenchServer } from './postgres.ts';
import { atriumScript, type Server, startServer } from './servers.ts';
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
// As long as the boundaries of browsers and curl, because the parser searches for it.
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const formHead = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
);
const formTail = Buffer.from(`\r\n--${boundary}--\r\n`);

/**
 * Uploads files of 150 MB alternately to our server and to one that only writes them to disk, and
 * measures how much memory our process needs.
 */
export async function compareUploads(
  postgres: BenchServer,
  rounds: number,
  seed: number,
): Promise<UploadFigures> {
  const { url, run } = await postgres.createDatabase('uploads');
  const { organizationId } = await fillOrganization(run, {
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
    for (const script of [atriumScript, 'test/bench/bare-upload.ts'])
      servers.push(await startServer(script, { DATABASE_URL: url, DATA_DIR: directory }));
    const [ownServer, bareServer] = servers;
    if (!ownServer || !bareServer) throw new Error('the servers did not start');
    const upload = () => send(ownServer, path, key);
    const deleteFile = async (id: string) =>
      fetch(`${ownServer.origin}${path}/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${key}` },
      });
    const measureRate = async (work: () => Promise<string>) => {
      const startedAt = performance.now();
      const body = await work();
      return { rate: fileBytes / megabyte / ((performance.now() - startedAt) / 1000), body };
    };
    const fileIdIn = (body: string): string => JSON.parse(body).file.id;
    // The warm-up lets both servers load their modules and their heaps reach a stable size.
    for (let index = 0; index < 2; index += 1) {
      await deleteFile(fileIdIn(await upload()));
      await send(bareServer, '/', key);
    }
    const [rates, bareRates]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const { rate, body } = await measureRate(upload);
      rates.push(rate);
      await deleteFile(fileIdIn(body));
      bareRates.push((await measureRate(() => send(bareServer, '/', key))).rate);
      console.log(
        `  round ${round + 1}: ${rate.toFixed(0)} MB/s, bare ${bareRates.at(-1)?.toFixed(0)} MB/s`,
      );
    }
    const oneGrowsMb = await measureGrowth(
      ownServer,
      async () => void (await deleteFile(fileIdIn(await upload()))),
    );
    const eightGrowMb = await measureGrowth(ownServer, async () => {
      const bodies = await Promise.all(Array.from({ length: 8 }, upload));
      for (const body of bodies) await deleteFile(fileIdIn(body));
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

/** Sends the same form to both servers. The bare server writes it to disk unchanged. */
async function send({ origin }: Server, path: string, key: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': formHead.length + fileBytes + formTail.length,
  };
  const clientRequest = request(origin + path, { method: 'POST', headers });
  const responseEvent = once(clientRequest, 'response');
  const chunk = Buffer.alloc(megabyte, 'x');
  clientRequest.write(formHead);
  for (let written = 0; written < fileBytes; written += chunk.length)
    if (!clientRequest.write(chunk)) await once(clientRequest, 'drain');
  clientRequest.end(formTail);
  const [response] = await responseEvent;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  if (response.statusCode !== 200)
    throw new Error(`an upload was answered with ${response.statusCode}: ${Buffer.concat(chunks)}`);
  return Buffer.concat(chunks).toString();
}

/** Measures how much the memory of a process grows at most during the work. Linux only. */
async function measureGrowth({ pid }: Server, work: () => Promise<void>): Promise<number> {
  await sleep(1_000);
  const before = residentMb(pid);
  let largest = before;
  const sampler = setInterval(() => {
    largest = Math.max(largest, residentMb(pid));
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  return largest - before;
}

function residentMb(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
