import { once } from 'node:events';
import { mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import roll from 'pino-roll';
import type { Env } from '../platform/env.ts';
import { createLog, type Log } from '../platform/log.ts';

const filesMax = 8;

type LogFilesParts = {
  directory: string;
  settings: Pick<Env, 'LOG_LEVEL' | 'LOG_FORMAT'>;
  log: Log;
  shown?: DestinationStream;
  size?: string;
};

/**
 * Opens `application.log` and `web.log`, the lines of requests, beside what is shown on standard
 * output. Each is a link to the newest of its files, which change with the day and at a size; the
 * oldest are removed.
 */
export async function openLogFiles({
  directory,
  settings,
  log,
  shown,
  size = '10m',
}: LogFilesParts) {
  const open = async (name: string) => {
    await mkdir(join(directory, name), { recursive: true });
    const file = await roll({
      file: join(directory, name, name),
      extension: '.log',
      frequency: 'daily',
      dateFormat: 'yyyy-MM-dd',
      size,
      limit: { count: filesMax, removeOtherLogFiles: true },
      symlink: true,
      mode: 0o600,
    });
    // A full disk must not end the vault; standard output still has every line.
    file.on('error', (error: unknown) => log.warn({ err: error }, `${name}.log cannot be written`));
    await link(join(name, 'current.log'), join(directory, `${name}.log`));
    return file;
  };
  const files = { application: await open('application'), web: await open('web') };
  return {
    log: createLog(settings, shown, files.application),
    webLog: createLog(settings, shown, files.web),
    async close(): Promise<void> {
      const closed = Object.values(files).map((file) => once(file, 'close'));
      for (const file of Object.values(files)) file.end();
      await Promise.all(closed);
    },
  };
}

async function link(target: string, path: string): Promise<void> {
  const current = await readlink(path).catch(() => undefined);
  if (current !== target) await symlink(target, path);
}
