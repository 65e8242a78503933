import { once } from 'node:events';
import { mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import type { Env } from '../platform/env.ts';
import { createLog, type Log } from '../platform/log.ts';
import { openRollingFile } from './rolling-file.ts';

const filesMax = 8;
const defaultBytesMax = 10 * 1024 * 1024;

type LogFilesOptions = {
  directory: string;
  settings: Pick<Env, 'LOG_LEVEL' | 'LOG_FORMAT'>;
  log: Log;
  output?: DestinationStream;
  bytesMax?: number;
};

/**
 * Writes logs to `application.log` and `web.log` (one line per request) in addition to standard
 * output. Each name is a symbolic link to the newest file. A new file begins every day and when the
 * size is reached; the oldest files are deleted.
 */
export async function openLogFiles({
  directory,
  settings,
  log,
  output,
  bytesMax = defaultBytesMax,
}: LogFilesOptions) {
  const open = async (name: string) => {
    await mkdir(join(directory, name), { recursive: true });
    const file = openRollingFile({ directory: join(directory, name), name, bytesMax, filesMax });
    // A full disk must not stop the vault; standard output still gets every line.
    file.on('error', (error: unknown) => log.warn({ err: error }, `writing ${name}.log failed`));
    await link(join(name, 'current.log'), join(directory, `${name}.log`));
    return file;
  };
  const files = { application: await open('application'), web: await open('web') };
  return {
    log: createLog(settings, output, files.application),
    webLog: createLog(settings, output, files.web),
    async close(): Promise<void> {
      const allClosed = Object.values(files).map((file) => once(file, 'close'));
      for (const file of Object.values(files)) file.end();
      await Promise.all(allClosed);
    },
  };
}

async function link(target: string, path: string): Promise<void> {
  const current = await readlink(path).catch(() => undefined);
  if (current !== target) await symlink(target, path);
}
