import { readFile } from 'node:fs/promises';

const intervalMs = 50;

/**
 * Calls `onExceeded` once when a process uses more memory than this. Only Linux reports memory
 * cheaply; on other systems only the heap limit applies.
 */
export function watchMemory(pid: number, megabytesMax: number, onExceeded: () => void): () => void {
  if (process.platform !== 'linux' || pid === 0) return () => {};
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    if (kilobytes <= megabytesMax * 1_024) return;
    clearInterval(timer);
    onExceeded();
  }, intervalMs);
  return () => clearInterval(timer);
}
