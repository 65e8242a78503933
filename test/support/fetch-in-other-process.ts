import { fork } from 'node:child_process';
import { once } from 'node:events';

export type FetchRequest = {
  url: string;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  body: { kind: 'form' | 'bytes' | 'stream' | 'text'; bytes: number };
  /** Number of requests, sent one after another. */
  times: number;
};

/**
 * Runs Node's fetch in another process and returns the status of each response, or the connection
 * error.
 */
export function fetchInOtherProcess() {
  const child = fork(new URL('./fetch-program.ts', import.meta.url), { execArgv: [] });
  return {
    async statuses(request: FetchRequest): Promise<(number | string)[]> {
      const answered = once(child, 'message');
      child.send(request);
      const [outcomes] = await answered;
      return outcomes;
    },
    close: () => void child.kill(),
  };
}
