import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VaultClient } from '../../src/vault/client.ts';
import { assistants, fillAssistants, fillPassages } from './fill-runs.ts';
import { atMost, type Goal } from './goals.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import type { ProviderCall, RunCase } from './run-cases.ts';
import {
  createRunClient,
  processorMs,
  type RunClient,
  type SentRun,
  startProvider,
} from './run-client.ts';
import { atriumScript, type Server, startServer } from './servers.ts';
import { median, percentile } from './statistics.ts';
import { benchSecret, withVault } from './vault-servers.ts';

type RunsEffort = {
  passages: number;
  /** Runs one at a time, and rounds of 200 at once. */
  rounds: number;
  bursts: number;
  /** Another checkout, which is measured side by side. */
  beside?: string | undefined;
};
type MeasuredServer = { name: string; server: Server; client: RunClient };
type MeasuredRun = SentRun & { calls: ProviderCall[] };
type RunFigure = { server: string; question: string; p50: number; p99: number; cpu: number };

const concurrency = 200;
// What the API adds to each of 200 runs that are sent at once, to a provider that answers in a second.
const ownMsMax = 250;
const keepingPercentMax = 10;
const keepingRounds = 7;
const unreachable = 'http://127.0.0.1:9';
const withoutRecords = 'without records';
const builtInQuestion = 'a run with the built-in model, one at a time';

/**
 * Measures what the API adds to a run, in milliseconds. API, vault, vector database and provider
 * are processes of their own; the provider's own time is subtracted. With `beside` every round is
 * measured with this checkout and with the other one, one after the other. Runs of the built-in
 * model are measured beside the same server without records of runs.
 */
export async function measureRuns(
  postgres: BenchServer,
  { passages, rounds, bursts, beside }: RunsEffort,
  seed: number,
): Promise<{ figures: RunFigure[]; goals: Goal[] }> {
  const provider = await startProvider();
  const servers: MeasuredServer[] = [];
  const databases = new Map<string, BenchDatabase>();
  const checkouts = [
    { name: 'this', script: atriumScript, settings: {} },
    ...(beside === undefined
      ? []
      : [{ name: 'beside', script: join(resolve(beside), atriumScript), settings: {} }]),
    {
      ...{ name: withoutRecords, script: atriumScript },
      settings: { NODE_OPTIONS: `--import=${new URL('./without-records.ts', import.meta.url)}` },
    },
  ];
  try {
    return await withVault(async ({ vault, client: vaultClient, vectorDbClient }) => {
      const prepared: { name: string; script: string; env: Record<string, string>; key: string }[] =
        [];
      for (const [index, { name, script, settings }] of checkouts.entries()) {
        const database = await postgres.createEmptyDatabase(`runs_${index}`);
        databases.set(name, database);
        const env = {
          DATABASE_URL: database.url,
          VAULT_SECRET: benchSecret,
          MODEL_BASE_URL: provider.baseUrl,
          MODEL_DEFAULT: 'bench',
          ORGANIZATION_LIMIT: '1000000',
          VAULT_ORGANIZATION_LIMIT: '1000000',
          VAULT_PERSON_LIMIT: '1000000',
          QUOTA_RUNS: '1000',
          ...settings,
        };
        // A checkout applies its own migrations. At its start it also removes passages of files that
        // its database does not have yet, so this start does not reach the vault.
        const migrating = await startServer(script, { ...env, VAULT_URL: unreachable });
        const key = await fillAssistants(database, seed).finally(migrating.stop);
        prepared.push({ name, script, env, key });
      }
      await fillPassages(vectorDbClient, passages);
      for (const { name, script, env, key } of prepared) {
        const server = await startServer(script, { ...env, VAULT_URL: vault.origin });
        servers.push({ name, server, client: createRunClient(server.origin, key) });
      }
      const keeping = servers.filter(({ name }) => name !== withoutRecords);
      const measure = createMeasurement(keeping, provider.takeCalls);
      const compare = createMeasurement(servers, provider.takeCalls);
      await compare.warmUp(50);
      await requireRecords(databases);
      await requirePassages(vaultClient);
      const keepingPercents = await compare.keeping(rounds);
      await measure.one('alone', rounds);
      await measure.bursts('plain', bursts);
      await measure.bursts('burst', bursts);
      await measure.crowd();
      await requirePassages(vaultClient);
      const figures = [...compare.figures, ...measure.figures];
      return { figures, goals: goalsOf(figures, keepingPercents) };
    });
  } finally {
    for (const { server, client } of servers) {
      client.close();
      await server.stop();
    }
    await provider.stop();
  }
}

/** Throws unless each server keeps its runs, and the one without records keeps none. */
async function requireRecords(databases: ReadonlyMap<string, BenchDatabase>): Promise<void> {
  for (const [name, { run }] of databases) {
    const [{ kept } = { kept: 0 }] = await run<{ kept: number }>(
      'select count(*)::int as kept from runs',
    );
    if ((kept === 0) !== (name === withoutRecords))
      throw new Error(`${name}: the server has kept ${kept} runs`);
  }
}

/** Throws unless searches find passages: those that find nothing take little time. */
async function requirePassages(vault: Pick<VaultClient, 'search'>): Promise<void> {
  for (const collection of Object.values(assistants)) {
    const { passages } = await vault.search({ collection, query: 'battery', limit: 8 });
    if (passages.length === 0) throw new Error(`A search in ${collection} finds no passage`);
  }
}

const goalsOf = (figures: readonly RunFigure[], keepingPercents: number[]): Goal[] => {
  const ours = (start: string) =>
    figures.filter(({ server, question }) => server === 'this' && question.startsWith(start));
  return [
    ...ours('own time, 200').map(({ question, p99 }) =>
      atMost(ownMsMax, { figure: `${question}: p99`, value: p99, unit: 'ms' }),
    ),
    atMost(keepingPercentMax, {
      figure: `${builtInQuestion}: p50, slower with records than without, median of ${keepingPercents.length} rounds`,
      value: median(keepingPercents),
      unit: '%',
    }),
  ];
};

let runsNamed = 0;

/** The provider counts its calls by the name of the run. */
function nameRun(runCase: RunCase): string {
  runsNamed += 1;
  return `${runCase}-${runsNamed}`;
}

function createMeasurement(
  servers: readonly MeasuredServer[],
  takeCalls: () => Promise<Map<string, ProviderCall[]>>,
) {
  const figures: RunFigure[] = [];
  /** Runs and CPU time of one case, for each server. */
  const measureEach = async (
    rounds: number,
    sendRound: (client: RunClient, round: number) => Promise<SentRun[]>,
  ) => {
    const measured = servers.map(({ name }) => ({ name, sent: [] as SentRun[], cpu: 0 }));
    for (let round = 0; round < rounds; round += 1)
      // Each server is the first one equally often.
      for (const offset of servers.keys()) {
        const index = (round + offset) % servers.length;
        const entry = measured[index];
        const measuredServer = servers[index];
        if (!measuredServer) continue;
        const { server, client, name } = measuredServer;
        const before = processorMs(server.pid);
        entry?.sent.push(...(await sendRound(client, round).catch(nameServer(name))));
        if (entry) entry.cpu += processorMs(server.pid) - before;
      }
    const calls = await takeCalls();
    return measured.map(({ name, sent, cpu }) => ({
      name,
      cpu: cpu / sent.length,
      runs: sent.map((run): MeasuredRun => ({ ...run, calls: calls.get(run.name) ?? [] })),
    }));
  };
  const add = (question: string, server: string, times: number[], cpu: number) => {
    const figure = {
      ...{ server, question, cpu },
      p50: percentile(times, 50),
      p99: percentile(times, 99),
    };
    figures.push(figure);
    console.log(
      `  ${server}: ${question}: p50 ${figure.p50.toFixed(1)} ms, p99 ${figure.p99.toFixed(1)} ms, ${cpu.toFixed(2)} ms of CPU for each run`,
    );
  };
  return {
    figures,
    async warmUp(rounds: number): Promise<void> {
      await measureEach(rounds, async (client) => [
        await client.run(assistants.provider, nameRun('alone')),
        await client.run(assistants.builtIn, nameRun('alone')),
      ]);
      await measureEach(2, (client) => sendAtOnce(client, () => nameRun('plain')));
    },
    /** Runs of the built-in model; the servers take turns with every run. */
    async keeping(runsPerRound: number): Promise<number[]> {
      const all = servers.map(({ name }) => ({ name, times: [] as number[], cpu: [] as number[] }));
      const percents: number[] = [];
      for (let round = 0; round < keepingRounds; round += 1) {
        const results = await measureEach(runsPerRound, async (client) => [
          await client.run(assistants.builtIn, nameRun('alone')),
        ]);
        const p50 = new Map<string, number>();
        for (const [index, { name, runs, cpu }] of results.entries()) {
          const times = runs.map(ownTime);
          p50.set(name, percentile(times, 50));
          all[index]?.times.push(...times);
          all[index]?.cpu.push(cpu);
        }
        const [kept, without] = ['this', withoutRecords].map((name) => p50.get(name) ?? Number.NaN);
        percents.push(((kept ?? Number.NaN) / (without ?? Number.NaN) - 1) * 100);
      }
      for (const { name, times, cpu } of all) add(builtInQuestion, name, times, median(cpu));
      const rounds = percents.map((percent) => percent.toFixed(1)).join(', ');
      console.log(`  slower with records, in %: ${rounds}; median ${median(percents).toFixed(1)}`);
      return percents;
    },
    async one(runCase: RunCase, rounds: number) {
      const results = await measureEach(rounds, async (client) => [
        await client.run(assistants.provider, nameRun(runCase)),
      ]);
      for (const { name, runs, cpu } of results) {
        add('before the provider is called, one at a time', name, runs.map(timeToFirstCall), cpu);
        add('from its answer to the next call, with a search', name, runs.map(betweenCalls), cpu);
        add('own time of a run, one at a time', name, runs.map(ownTime), cpu);
      }
    },
    async bursts(runCase: 'plain' | 'burst', rounds: number): Promise<void> {
      const results = await measureEach(rounds, (client) =>
        sendAtOnce(client, () => nameRun(runCase)),
      );
      const kind = runCase === 'plain' ? 'without a search' : 'with a search';
      for (const { name, runs, cpu } of results)
        add(`own time, 200 sent at once, ${kind}`, name, runs.map(ownTime), cpu);
    },
    /** 200 people, of whom each sends the next run after the answer. */
    async crowd(): Promise<void> {
      const results = await measureEach(1, async (client) => {
        const people = Array.from({ length: concurrency }, async () => {
          await sleep(Math.random() * 4_000);
          const sent: SentRun[] = [];
          for (let round = 0; round < 4; round += 1)
            sent.push(await client.run(assistants.provider, nameRun('crowd')));
          return sent;
        });
        return (await Promise.all(people)).flat();
      });
      for (const { name, runs, cpu } of results)
        add('own time, 200 in progress, with a search', name, runs.map(ownTime), cpu);
    },
  };
}

const sendAtOnce = (client: RunClient, nameRun: () => string): Promise<SentRun[]> =>
  Promise.all(
    Array.from({ length: concurrency }, () => client.run(assistants.provider, nameRun())),
  );

const nameServer = (name: string) => (error: unknown) => {
  throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
};

const timeToFirstCall = ({ sentAt, calls }: MeasuredRun) =>
  (calls[0]?.calledAt ?? Number.NaN) - sentAt;
const betweenCalls = ({ calls }: MeasuredRun) =>
  (calls[1]?.calledAt ?? Number.NaN) - (calls[0]?.respondedAt ?? Number.NaN);
const ownTime = ({ sentAt, answeredAt, calls }: MeasuredRun) =>
  answeredAt -
  sentAt -
  calls.reduce((sum, { calledAt, respondedAt }) => sum + respondedAt - calledAt, 0);
