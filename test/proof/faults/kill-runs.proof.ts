import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../src/platform/database/database.ts';
import { atLeast } from '../../bench/goals.ts';
import type { ModelProvider } from '../../support/model-provider.ts';
import { type RunningServer, start } from '../../support/process.ts';
import { type ReceivedEvent, textOf } from '../../support/run-events.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { type SeededRandom, seededRandom } from '../fuzz/seeded-random.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import { type DatabaseKind, openDataLocation, serverUrl } from './data-location.ts';
import { type FinishedRun, runClient } from './kill-runs/run-client.ts';
import { answerTo, lastAnswerMs, slowModel, stepsPerRun } from './kill-runs/slow-model.ts';

const full = { runs: 200, kills: 30 };
const brief = { runs: 24, kills: 4 };
// A run waits for the end of the lease of its killed process, perhaps several times.
const endMsMax = 300_000;
const askedMsMax = 300_000;

export const proof: Proof = {
  claim:
    'Durable runs whose processes are killed again and again all end once, with every step recorded and billed once and every stream complete',
  async measure(context) {
    const findings = await killRuns('embedded', 1, context);
    if (await isPostgresReachable(serverUrl))
      findings.push(...(await killRuns('postgres', 2, context)));
    else findings.push({ figure: 'postgres: runs', skipped: `no Postgres at ${serverUrl}` });
    return findings;
  },
};

async function killRuns(
  kind: DatabaseKind,
  processes: number,
  { quick, seed, log }: ProofContext,
): Promise<ProofFinding[]> {
  const { runs, kills } = quick ? brief : full;
  const random = seededRandom(seed, 1_000);
  const provider = await slowModel();
  const location = await openDataLocation(kind);
  const settings = {
    ...location.settings,
    ...{ MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' },
    ...{ AUTH_SECRET: randomBytes(32).toString('hex'), LOG_LEVEL: 'info' },
  };
  const servers: (RunningServer | undefined)[] = [];
  // The key tells the provider which process asks.
  const startServer = (index: number) =>
    start({ ...settings, MODEL_API_KEY: `process-${index}` }, ['api']);
  try {
    const first = await startServer(0);
    servers.push(first);
    while (servers.length < processes) servers.push(await startServer(servers.length));
    const key = /admin .* key (sk_svc_\w+)/.exec(first.output())?.[1] ?? '';
    const assistantId = await createAssistant(first.address, key);
    const client = runClient({ assistantId, key, address: () => anyOf(servers, random)?.address });

    const working: Promise<FinishedRun>[] = [];
    let killed = 0;
    let interruptedAnswers = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      // Every second kill interrupts an answer of which a client has received a part, so that a step
      // certainly begins again. The others come at random moments after a process asked its model.
      const held = kill % 2 === 1 ? provider.holdAnswer() : undefined;
      while (working.length < Math.ceil((runs * kill) / kills))
        working.push(client.run(`question ${working.length + 1}`));
      let victim: number;
      if (held) {
        const { question, apiKey } = await until(held);
        await untilTextArrives(() => client.eventsOf(question));
        victim = processOf(apiKey);
        interruptedAnswers += 1;
      } else {
        victim = processOf(await untilAsked(provider));
        await pause(random.below(lastAnswerMs));
      }
      if (servers[victim]) killed += 1;
      await killServer(servers[victim]);
      servers[victim] = undefined;
      servers[victim] = await startServer(victim);
      log(`${kind}: ${kill} kills, ${working.length} runs`);
    }
    const timeout = new AbortController();
    const finished = await Promise.race([
      Promise.all(working),
      pause(endMsMax, undefined, { signal: timeout.signal, ref: false }),
    ]);
    timeout.abort();
    for (const [index, server] of servers.entries()) {
      await killServer(server);
      servers[index] = undefined;
    }
    if (!finished) throw new Error(`Not every run ended within ${endMsMax} ms`);
    return [
      atLeast(kills, { figure: `${kind}: kills during runs`, value: killed, unit: '' }),
      ...(await location.withDatabase((database) =>
        findingsOf({ kind, finished, interruptedAnswers }, database, log),
      )),
    ];
  } finally {
    for (const server of servers) await killServer(server);
    await location.close();
    await provider.close();
  }
}

/** Waits until the model is asked once more. Returns the key of the process that asks. */
async function untilAsked({
  requests,
  keys,
}: Pick<ModelProvider, 'requests' | 'keys'>): Promise<string | undefined> {
  const before = requests.length;
  await until(() => requests.length > before);
  return keys.at(-1);
}

/** Waits until a client has received more text of its run. */
async function untilTextArrives(events: () => readonly ReceivedEvent[]): Promise<void> {
  const before = events().length;
  await until(() =>
    events()
      .slice(before)
      .some(({ name }) => name === 'text'),
  );
}

// On a busy machine a process needs minutes until it asks.
async function until<Value>(read: () => Value | undefined | false): Promise<Value> {
  const lastMs = performance.now() + askedMsMax;
  for (;;) {
    const value = read();
    if (value) return value;
    if (performance.now() > lastMs) throw new Error(`No run went on within ${askedMsMax} ms`);
    await pause(10);
  }
}

const processOf = (apiKey = '') => Number(/process-(\d+)/.exec(apiKey)?.[1]);

type RunRow = {
  id: string;
  state: string;
  errorCode: string | null;
  attempts: number;
  stepCount: number;
  steps: number;
  /** The usage entries, and their tokens. */
  billedSteps: number;
  billedTokens: number;
  tokens: number;
};

type Result = {
  kind: DatabaseKind;
  finished: readonly FinishedRun[];
  /** How many kills interrupted an answer of which a client had received a part. */
  interruptedAnswers: number;
};

async function findingsOf(
  { kind, finished, interruptedAnswers }: Result,
  { sql }: Database,
  log: ProofContext['log'],
): Promise<ProofFinding[]> {
  const rows = await sql<RunRow>`
    select r.id, r.state, r.error_code as "errorCode", r.attempts, r.step_count as "stepCount", (select count(*)::int from run_steps s where s.run_id = r.id) as steps,
      r.prompt_tokens + r.completion_tokens as tokens, (select count(*)::int from usage_entries e where e.run_id = r.id) as "billedSteps",
      (select coalesce(sum(e.prompt_tokens + e.completion_tokens), 0)::int from usage_entries e where e.run_id = r.id) as "billedTokens"
    from runs r where r.is_durable`;
  // Totals as a report reads them: the kept ones, and the entries that they do not contain yet.
  const [billed] = await sql<{ runs: number; steps: number }>`
    select sum(runs)::int as runs, sum(steps)::int as steps from (
      select runs, steps from usage_totals where dimension = 'ORGANIZATION'
      union all select (step = 1)::int, 1 from usage_entries where not is_counted) total`;
  for (const { id, state, errorCode, attempts, steps } of rows)
    if (state !== 'COMPLETED')
      log(`run ${id} is ${state} with ${errorCode} after ${steps} steps and ${attempts} attempts`);
  const incomplete = finished.filter(
    ({ question, events }) => textOf(events) !== answerTo(question),
  );
  const broken = finished.filter(({ events }) =>
    events.some((event, index) => event.id !== String(index + 1)),
  );
  const ends = finished.map(({ events }) => events.filter(({ name }) => name === 'done').length);
  const repeated = finished.flatMap(({ events }) =>
    events.filter(({ name, data }) => name === 'step' && Number(data['attempt']) > 1),
  );
  return [
    {
      figure: `${kind}: broken streams to which the clients of the runs came back`,
      value: finished.reduce((sum, { resumptions }) => sum + resumptions, 0),
      unit: '',
      goal: `all of ${finished.length} runs`,
      held: finished.length === rows.length,
    },
    atLeast(interruptedAnswers, {
      figure: `${kind}: steps that began again`,
      value: repeated.length,
      unit: '',
    }),
    exactlyZero(
      `${kind}: accepted runs that did not complete`,
      rows.filter(({ state }) => state !== 'COMPLETED').length,
    ),
    exactlyZero(
      `${kind}: runs that were executed besides those that were accepted`,
      rows.length - new Set(finished.map(({ id }) => id)).size,
    ),
    exactlyZero(
      `${kind}: runs that were answered twice or never`,
      ends.filter((count) => count !== 1).length,
    ),
    exactlyZero(
      `${kind}: runs with a step that is missing or was recorded twice`,
      rows.filter(({ steps, stepCount }) => steps !== stepsPerRun || stepCount !== stepsPerRun)
        .length,
    ),
    exactlyZero(
      `${kind}: runs with a step that is not billed or was billed twice`,
      rows.filter(
        ({ billedSteps, billedTokens, tokens }) =>
          billedSteps !== stepsPerRun || billedTokens !== tokens || tokens === 0,
      ).length,
    ),
    exactlyZero(
      `${kind}: runs and steps that the totals of usage have beside those`,
      Math.abs((billed?.runs ?? 0) - rows.length) +
        Math.abs((billed?.steps ?? 0) - rows.length * stepsPerRun),
    ),
    exactlyZero(`${kind}: streams with a gap or a repetition`, broken.length),
    exactlyZero(`${kind}: answers that differ from their streams`, incomplete.length),
  ];
}

function anyOf(
  servers: readonly (RunningServer | undefined)[],
  random: SeededRandom,
): RunningServer | undefined {
  const alive = servers.filter((server) => server !== undefined);
  return alive.length === 0 ? undefined : alive[random.below(alive.length)];
}

async function killServer(server: RunningServer | undefined): Promise<void> {
  server?.process.kill('SIGKILL');
  await server?.ended;
}

async function createAssistant(address: string, key: string): Promise<string> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { createAssistant(input: { name: "Killed" }) { assistant { id } } }',
    }),
  });
  return String(Object(await response.json()).data.createAssistant.assistant.id);
}
