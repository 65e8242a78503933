import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import { createVectorDbClient } from '../../src/vault/vector-db/client.ts';
import { type ChatRequest, modelProvider } from '../support/model-provider.ts';
import { vaultSecret } from '../support/vault.ts';
import { startVaultServers } from '../support/vault-servers.ts';
import { fillOrganization } from './fill.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { atriumScript, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

export type RunLatency = { question: string; p50: number; p99: number };

/** The times of a run, seen by the provider and the client with the same clock. */
type RunTimes = {
  sentAt: number;
  answeredAt: number;
  calls: { calledAt: number; respondedAt: number }[];
};

const assistantId = 'bench-assistant';
const documents = 10;
const words =
  'battery charger travel holiday allowance notice period contract delivery invoice meeting office laptop network password backup'.split(
    ' ',
  );

/**
 * Measures what the API adds to a run, in milliseconds: an API in its own process, a real vault
 * with many passages, and a provider over real HTTP whose own time is subtracted. Each run searches
 * once and then answers. With 200 concurrent runs, the provider takes one to three seconds for each
 * of its two answers, as real providers do, and each client sends the next run after its answer.
 */
export async function measureRuns(
  postgres: BenchServer,
  { passages, rounds }: { passages: number; rounds: number },
  seed: number,
): Promise<RunLatency[]> {
  const database = await postgres.createDatabase('runs');
  const vault = await startVaultServers();
  const callsByRun = new Map<string, RunTimes['calls']>();
  const provider = await modelProvider((chatRequest) => {
    const name = nameOf(chatRequest);
    const afterMs = name.startsWith('crowd') ? 1_000 + Math.random() * 2_000 : 0;
    const calledAt = performance.now();
    const calls = callsByRun.get(name) ?? [];
    callsByRun.set(name, [...calls, { calledAt, respondedAt: calledAt + afterMs }]);
    const query = words[calls.length + ((calledAt % words.length) | 0)];
    return calls.length === 0
      ? { afterMs, toolCalls: [{ name: 'search_knowledge', input: { query } }] }
      : { afterMs, text: 'It is in the files [1]. '.repeat(10) };
  });
  const key = await fillAssistant(database, seed);
  await fillVault(vault.vectorDb.url, passages);
  const env = {
    DATABASE_URL: database.url,
    VAULT_URL: vault.url,
    VAULT_SECRET: vaultSecret,
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_DEFAULT: 'bench',
  };
  const server = await startServer(atriumScript, env);
  const run = async (name: string): Promise<RunTimes> => {
    const sentAt = performance.now();
    const { status, text } = await post(
      `${server.origin}/api/assistants/v1/${assistantId}/run`,
      key,
      { messages: [{ role: 'user', content: `run ${name}` }] },
    );
    if (status !== 200) throw new Error(`a run was answered with ${status}: ${text}`);
    return { sentAt, answeredAt: performance.now(), calls: callsByRun.get(name) ?? [] };
  };
  try {
    for (let index = 0; index < 50; index += 1) await run(`warm-${index}`);
    const singleRuns: RunTimes[] = [];
    for (let round = 0; round < rounds; round += 1) singleRuns.push(await run(`alone-${round}`));
    const runConcurrently = async (runnerIndex: number): Promise<RunTimes[]> => {
      await sleep(Math.random() * 4_000);
      const times: RunTimes[] = [];
      for (let round = 0; round < 4; round += 1)
        times.push(await run(`crowd-${runnerIndex}-${round}`));
      // The first run of each runner opens its connections.
      return times.slice(1);
    };
    const concurrentRuns = (
      await Promise.all(
        Array.from({ length: 200 }, (_, runnerIndex) => runConcurrently(runnerIndex)),
      )
    ).flat();
    return [
      summarize(
        'before the first provider byte, one run at a time',
        singleRuns.map(timeToFirstCall),
      ),
      summarize(
        `from the first answer to the second call, with a search in ${passages} passages`,
        singleRuns.map(timeBetweenCalls),
      ),
      summarize('own time of a run, one at a time', singleRuns.map(ownTime)),
      summarize('own time of a run, 200 at once', concurrentRuns.map(ownTime)),
    ];
  } finally {
    agent.destroy();
    await server.stop();
    await vault.close();
    await provider.close();
  }
}

// This process is also the provider. With fetch it would spend more CPU time on a run than the
// server.
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

async function post(
  url: string,
  key: string,
  body: object,
): Promise<{ status: number | undefined; text: string }> {
  const clientRequest = request(url, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  clientRequest.end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(clientRequest, 'response');
  let text = '';
  for await (const chunk of response ?? []) text += chunk;
  return { status: response?.statusCode, text };
}

const nameOf = ({ messages }: ChatRequest): string =>
  /run (\S+)/.exec(String(messages.find(({ role }) => role === 'user')?.content))?.[1] ?? '';

const timeToFirstCall = ({ sentAt, calls }: RunTimes) =>
  (calls[0]?.calledAt ?? Number.NaN) - sentAt;
const timeBetweenCalls = ({ calls }: RunTimes) =>
  (calls[1]?.calledAt ?? Number.NaN) - (calls[0]?.respondedAt ?? Number.NaN);
const ownTime = ({ sentAt, answeredAt, calls }: RunTimes) =>
  answeredAt -
  sentAt -
  calls.reduce((sum, { calledAt, respondedAt }) => sum + respondedAt - calledAt, 0);

function summarize(question: string, times: number[]): RunLatency {
  const figures = { question, p50: percentile(times, 50), p99: percentile(times, 99) };
  console.log(`  ${question}: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`);
  return figures;
}

/** Creates a person with a key, and an assistant with files. */
async function fillAssistant({ run }: BenchDatabase, seed: number): Promise<string> {
  const { organizationId } = await fillOrganization(run, { slug: 'runs', users: 5, seed });
  const { key, hash, prefix, lastFour } = generateKey('USER');
  await run(
    `insert into api_keys (id, kind, organization_id, user_id, name, hash, prefix, last_four, limit_per_minute)
     select 'bench-user-key', 'USER', $1, user_id, 'bench', $2, $3, $4, 2000000000 from memberships where organization_id = $1 limit 1`,
    [organizationId, hash, prefix, lastFour],
  );
  await run(`insert into assistants (id, organization_id, name) values ($1, $2, 'Bench')`, [
    assistantId,
    organizationId,
  ]);
  await run(
    `insert into assistant_shares (id, assistant_id, organization_id, level) values ('bench-share', $1, $2, 'VIEW')`,
    [assistantId, organizationId],
  );
  await run(
    `insert into assistant_files (id, assistant_id, organization_id, original_name, mime_type, size, hash, storage_key, status)
     select 'document-' || i, $1, $2, 'document-' || i || '.txt', 'text/plain', 1, repeat('0', 64), 'document-' || i, 'COMPLETED' from generate_series(0, $3 - 1) i`,
    [assistantId, organizationId, documents],
  );
  return key;
}

async function fillVault(url: string, passages: number): Promise<void> {
  const vectorDb = createVectorDbClient({ url, secret: vaultSecret });
  const startedAt = performance.now();
  for (let document = 0; document < documents; document += 1) {
    const metadata = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
    await vectorDb.put(
      assistantId,
      `document-${document}`,
      metadata,
      passagesOf(document, passages / documents),
    );
  }
  console.log(
    `  stored ${passages} passages in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
}

async function* passagesOf(document: number, count: number) {
  let start = 0;
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const passageIndex = document * count + ordinal;
    const text = Array.from(
      { length: 60 },
      (_, index) =>
        `${words[(passageIndex * 7 + index * (1 + (passageIndex % 11))) % words.length]}${(passageIndex + index) % 97}`,
    ).join(' ');
    const [vector] = await hashingEmbedder.embed([text], 'passage');
    if (vector)
      yield {
        ordinal,
        text,
        page: 1 + (ordinal >> 3),
        headings: [],
        start,
        end: start + text.length,
        vector,
      };
    start += text.length + 1;
  }
}
