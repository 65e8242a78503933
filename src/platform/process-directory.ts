import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export type ProcessDirectory = Awaited<ReturnType<typeof openProcessDirectory>>;

/**
 * Opens a directory for this process, below one that several processes share, and removes the
 * directories of processes that have ended.
 */
export async function openProcessDirectory(shared: string) {
  await mkdir(shared, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(shared)) {
    if (!isOtherLiveProcess(Number(entry)))
      await rm(join(shared, entry), { recursive: true, force: true });
  }
  // Processes that read documents have another working directory.
  const path = resolve(shared, String(process.pid));
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}

function isOtherLiveProcess(pid: number): boolean {
  if (pid === process.pid || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
