import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { now, type ProviderCall } from './run-cases.ts';

export type SentRun = { name: string; sentAt: number; answeredAt: number };
export type RunClient = ReturnType<typeof createRunClient>;

/** Sends runs of a person over connections that stay open. */
export function createRunClient(origin: string, key: string) {
  // With fetch this process would spend more CPU time on a run than the server.
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  return {
    async run(assistantId: string, name: string): Promise<SentRun> {
      const sentAt = now();
      const clientRequest = request(`${origin}/api/assistants/v1/${assistantId}/run`, {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      clientRequest.end(JSON.stringify({ messages: [{ role: 'user', content: `run ${name}` }] }));
      const [response]: IncomingMessage[] = await once(clientRequest, 'response');
      let text = '';
      for await (const chunk of response ?? []) text += chunk;
      if (response?.statusCode !== 200)
        throw new Error(`a run was answered with ${response?.statusCode}: ${text}`);
      return { name, sentAt, answeredAt: now() };
    },
    close: () => agent.destroy(),
  };
}

/** Starts the model provider in a process of its own. */
export async function startProvider() {
  const child = fork(fileURLToPath(new URL('./run-provider.ts', import.meta.url)));
  const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
  return {
    baseUrl,
    /** The calls since the last time, by run. */
    async takeCalls(): Promise<Map<string, ProviderCall[]>> {
      child.send('calls');
      const [{ calls }] = (await once(child, 'message')) as [{ calls: ProviderCall[] }];
      return Map.groupBy(calls, ({ run }) => run);
    },
    async stop(): Promise<void> {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

const ticksPerSecond = 100;

/** The CPU time of a process so far, in milliseconds (Linux). */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}
