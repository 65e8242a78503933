import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { fillOrganization } from './fill.ts';
import { load, type RoundFigures } from './load.ts';
import { silent } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { atriumScript, startServer } from './servers.ts';
import { median } from './statistics.ts';

export type StartFigures = { firstMs: number; againMs: number };
export type EmbeddedFigures = ({ read: string } & RoundFigures)[];

/**
 * Measures the time from the start of the process until /readyz answers with success, on the
 * embedded database: new with demo data, then existing.
 */
export async function measureStarts(times: number): Promise<StartFigures> {
  const firstStarts: number[] = [];
  const laterStarts: number[] = [];
  for (let attempt = 1; attempt <= times; attempt += 1) {
    await inTemporaryDirectory(async (dataDir) => {
      firstStarts.push(await startAndStop(dataDir));
      laterStarts.push(await startAndStop(dataDir));
      console.log(
        `  start ${attempt} of ${times}: first ${Math.round(firstStarts.at(-1) ?? 0)} ms, again ${Math.round(laterStarts.at(-1) ?? 0)} ms`,
      );
    });
  }
  return { firstMs: median(firstStarts), againMs: median(laterStarts) };
}

async function startAndStop(dataDir: string): Promise<number> {
  const server = await startServer(atriumScript, { DATA_DIR: dataDir, NODE_ENV: 'development' });
  await server.stop();
  return server.readyMs;
}

/**
 * Measures the two reads on the embedded database, for information: there the server and its
 * database share one thread.
 */
export async function measureEmbedded(seconds: number, seed: number): Promise<EmbeddedFigures> {
  return inTemporaryDirectory(async (dataDir) => {
    const database = await openDatabase({ dataDir, log: silent });
    const run = (text: string, values: unknown[]) =>
      database.prisma.$executeRawUnsafe(text, ...values);
    const { key, organizationId } = await fillOrganization(run, {
      slug: 'large',
      users: 500,
      seed,
    });
    const member = await database.prisma.membership.findFirstOrThrow({
      where: { organizationId },
    });
    await database.close();
    const server = await startServer(atriumScript, { DATA_DIR: dataDir });
    const figures: EmbeddedFigures = [];
    try {
      for (const [read, path] of [
        ['GET users, 20 of 500', usersPath],
        ['GET users/:id', `${usersPath}/${member.userId}`],
      ] as const) {
        await load({ server, key, paths: [path], seconds });
        figures.push({ read, ...(await load({ server, key, paths: [path], seconds })) });
      }
    } finally {
      await server.stop();
    }
    return figures;
  });
}

async function inTemporaryDirectory<T>(callback: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  try {
    return await callback(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
