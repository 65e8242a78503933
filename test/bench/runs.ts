import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import { hashingEmbedder } from '../../src/vault/embed/embedder.ts';
import { createVectorDbClient } from '../../src/vault/vector-db/client.ts';
import { type ChatRequest, modelProvider } from '../support/model-provider.ts';
import { vaultSecret } from '../support/vault.ts';
import { vaultParts } from '../support/vault-parts.ts';
import { fillWorkspace } from './fill.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { ours, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

export type RunFigures = { question: string; p50: number; p99: number };

/** A run as the provider and the client saw it, all by one clock. */
type Times = { sentAt: number; answeredAt: number; calls: { askedAt: number; toldAt: number }[] };

const assistantId = 'bench-assistant';
const documents = 10;
const words =
  'battery charger travel holiday allowance notice period contract delivery invoice meeting office laptop network password backup'.split(
    ' ',
  );

/**
 * What our code adds to a run, in milliseconds: the API in a process of its own, a real vault with
 * so many passages, and a provider over real HTTP whose own time is taken out. Each run searches
 * once and then answers. Where 200 run at once, the provider takes one to three seconds for each of
 * the two answers, as providers do, and whoever is answered asks again.
 */
export async function measureRuns(
  postgres: BenchServer,
  { passages, rounds }: { passages: number; rounds: number },
  seed: number,
): Promise<RunFigures[]> {
  const database = await postgres.createDatabase('runs');
  const vault = await vaultParts();
  const seen = new Map<string, Times['calls']>();
  const provider = await modelProvider((asked) => {
    const name = nameOf(asked);
    const afterMs = name.startsWith('crowd') ? 1_000 + Math.random() * 2_000 : 0;
    const askedAt = performance.now();
    const calls = seen.get(name) ?? [];
    seen.set(name, [...calls, { askedAt, toldAt: askedAt + afterMs }]);
    const query = words[calls.length + ((askedAt % words.length) | 0)];
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
  const server = await startServer(ours, env);
  const run = async (name: string): Promise<Times> => {
    const sentAt = performance.now();
    const { status, text } = await post(
      `${server.origin}/api/assistants/v1/${assistantId}/run`,
      key,
      { messages: [{ role: 'user', content: `run ${name}` }] },
    );
    if (status !== 200) throw new Error(`a run was answered ${status}: ${text}`);
    return { sentAt, answeredAt: performance.now(), calls: seen.get(name) ?? [] };
  };
  try {
    for (let warm = 0; warm < 50; warm += 1) await run(`warm-${warm}`);
    const alone: Times[] = [];
    for (let round = 0; round < rounds; round += 1) alone.push(await run(`alone-${round}`));
    const crowd = async (runner: number): Promise<Times[]> => {
      await sleep(Math.random() * 4_000);
      const times: Times[] = [];
      for (let round = 0; round < 4; round += 1) times.push(await run(`crowd-${runner}-${round}`));
      // The first opens the runner's connections.
      return times.slice(1);
    };
    const together = (
      await Promise.all(Array.from({ length: 200 }, (_, runner) => crowd(runner)))
    ).flat();
    return [
      figure('before the first provider byte, one run at a time', alone.map(untilAsked)),
      figure(
        `from the first answer to the second call, with a search in ${passages} passages`,
        alone.map(untilAskedAgain),
      ),
      figure('our share of a run, one at a time', alone.map(ourShare)),
      figure('our share of a run, 200 at once', together.map(ourShare)),
    ];
  } finally {
    agent.destroy();
    await server.stop();
    await vault.close();
    await provider.close();
  }
}

// fetch would cost this process, which is the provider as well, more than the run costs the server.
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

async function post(
  url: string,
  key: string,
  body: object,
): Promise<{ status: number | undefined; text: string }> {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response ?? []) text += chunk;
  return { status: response?.statusCode, text };
}

const nameOf = ({ messages }: ChatRequest): string =>
  /run (\S+)/.exec(String(messages.find(({ role }) => role === 'user')?.content))?.[1] ?? '';

const untilAsked = ({ sentAt, calls }: Times) => (calls[0]?.askedAt ?? Number.NaN) - sentAt;
const untilAskedAgain = ({ calls }: Times) =>
  (calls[1]?.askedAt ?? Number.NaN) - (calls[0]?.toldAt ?? Number.NaN);
const ourShare = ({ sentAt, answeredAt, calls }: Times) =>
  answeredAt - sentAt - calls.reduce((sum, { askedAt, toldAt }) => sum + toldAt - askedAt, 0);

function figure(question: string, times: number[]): RunFigures {
  const figures = { question, p50: percentile(times, 50), p99: percentile(times, 99) };
  console.log(`  ${question}: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`);
  return figures;
}

/** A person with a key, and an assistant of theirs with its files. */
async function fillAssistant({ run }: BenchDatabase, seed: number): Promise<string> {
  const { organizationId } = await fillWorkspace(run, { slug: 'runs', users: 5, seed });
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
    const about = { hash: '0'.repeat(64), embedding: hashingEmbedder.name, facts: {} };
    await vectorDb.put(
      assistantId,
      `document-${document}`,
      about,
      passagesOf(document, passages / documents),
    );
  }
  console.log(
    `  laid down ${passages} passages in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
}

async function* passagesOf(document: number, count: number) {
  let start = 0;
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const place = document * count + ordinal;
    const text = Array.from(
      { length: 60 },
      (_, index) =>
        `${words[(place * 7 + index * (1 + (place % 11))) % words.length]}${(place + index) % 97}`,
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
