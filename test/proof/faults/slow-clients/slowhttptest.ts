import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export const hasSlowhttptest = (): boolean =>
  spawnSync('slowhttptest', ['-h'], { stdio: 'ignore' }).error === undefined;

/** Runs slowhttptest (a Debian package), which reports how many connections it keeps open. */
export function runSlowhttptest(
  kind: 'headers' | 'body',
  url: string,
  { connections, seconds }: { connections: number; seconds: number },
) {
  const flags = [
    kind === 'headers' ? '-H' : '-B',
    '-c',
    connections,
    '-r',
    connections,
    '-l',
    seconds,
    '-i',
    1,
    '-p',
    3,
    '-u',
    url,
  ];
  const types = kind === 'body' ? ['-t', 'POST', '-f', 'application/json', '-s', 8192] : [];
  const child: ChildProcess = spawn('slowhttptest', [...flags, ...types].map(String), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let report = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    report += chunk.toString();
  });
  return {
    /** The highest number of connections reported so far. It reports every 5 s, in colours. */
    connectionsMax: () =>
      Math.max(
        0,
        ...[...stripVTControlCharacters(report).matchAll(/connected:\s*(\d+)/g)].map(([, count]) =>
          Number(count),
        ),
      ),
    async end() {
      const ended = once(child, 'exit');
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await ended;
    },
  };
}
