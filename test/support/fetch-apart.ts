import { fork } from 'node:child_process';
import { once } from 'node:events';

export type FetchRequest = {
  url: string;
  method: 'POST' | 'PUT';
  headers: Record<string, string>;
  body: { kind: 'form' | 'bytes' | 'stream' | 'text'; bytes: number };
  /** One after another. */
  times: number;
};

/** Node's fetch in another process: the status of each answer, or what became of the connection. */
export function fetchApart() {
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
