import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost } from '../../bench/goals.ts';
import { cpuMsOf } from '../../bench/load.ts';
import { percentile } from '../../bench/statistics.ts';
import { type RunningServer, start } from '../../support/process.ts';
import { openDataLocation, serverUrl } from '../faults/data-location.ts';
import { readKeys } from '../faults/load/mixed-load.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { seededRandom } from '../fuzz/seeded-random.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import {
  type DashboardQuery,
  dashboardQueries,
  documentHash,
  openStreams,
} from './live-queries/streams.ts';

const idlePercentMax = 5;
const idleReadings = 5;
const delayMsMax = 300;
const patienceMs = 10_000;

export const proof: Proof = {
  claim:
    'A thousand open live queries of 50 documents cost at most 5 % of a processor while nothing changes, and show a change of another process within 300 ms',
  timed: true,
  async measure(context) {
    if (await isPostgresReachable(serverUrl)) return measureLiveQueries(context);
    return [{ figure: 'live queries', skipped: `no Postgres at ${serverUrl}` }];
  },
};

async function measureLiveQueries({ quick, seed, log }: ProofContext): Promise<ProofFinding[]> {
  const size = quick
    ? { streams: 200, documents: 10, idleSeconds: 3, changes: 10 }
    : { streams: 1_000, documents: 50, idleSeconds: 20, changes: 60 };
  const queries = dashboardQueries(size.documents);
  const location = await openDataLocation('postgres');
  const manifest = join(location.directory, 'documents.json');
  writeFileSync(manifest, manifestOf(queries));
  const settings = {
    ...location.settings,
    ...{ GRAPHQL_DOCUMENTS: manifest, LOG_LEVEL: 'info' },
    ...{ ORGANIZATION_KEY_LIMIT: '1000000', ORGANIZATION_LIMIT: '1000000' },
  };
  const servers: RunningServer[] = [];
  try {
    const reading = await start(settings, ['api']);
    servers.push(reading);
    const writing = await start(settings, ['api']);
    servers.push(writing);
    const { organizationKey } = await readKeys(reading, reading.output());
    const campaign = await createCampaign(writing.address, organizationKey);

    const without = await idlePercent(reading, size.idleSeconds);
    const streams = await openStreams(reading.address, organizationKey, queries, size.streams);
    await pause(2_000);
    const eventsBefore = streams.events();
    const idle = await idlePercent(reading, size.idleSeconds);
    const eventsWhileIdle = streams.events() - eventsBefore;
    log(`idle ${without.toFixed(2)} % without streams, ${idle.toFixed(2)} % with them`);

    const random = seededRandom(seed, 1_000);
    const shown = Math.round(
      (size.streams * queries.filter(showsCampaigns).length) / queries.length,
    );
    const delays: number[] = [];
    let missing = 0;
    for (let change = 1; change <= size.changes; change += 1) {
      await pause(random.below(400) + 300);
      const name = `Renamed ${change} of ${seed}`;
      const arrivals: number[] = [];
      streams.expect(name, (ms) => arrivals.push(ms));
      await campaign.rename(name);
      const committedAt = performance.now();
      while (arrivals.length < shown && performance.now() < committedAt + patienceMs)
        await pause(10);
      missing += shown - arrivals.length;
      delays.push(...arrivals.map((ms) => ms - committedAt));
    }
    log(`from the answer of a change to its event: p50 ${percentile(delays, 50).toFixed(0)} ms`);
    streams.close();
    const what = `${size.streams} live queries of ${size.documents} documents`;
    return [
      atMost(idlePercentMax, {
        figure: `processor of a process with ${what} without a change, median of ${idleReadings} readings of ${size.idleSeconds} s (${without.toFixed(1)} % without the queries)`,
        value: Number(idle.toFixed(2)),
        unit: '% of one core',
      }),
      exactlyZero('events without a change', eventsWhileIdle),
      atMost(delayMsMax, {
        figure: `p95 from the answer of a change in another process to its event, ${size.changes} changes, each shown by ${shown} streams`,
        value: Math.round(percentile(delays, 95)),
        unit: 'ms',
      }),
      exactlyZero('streams that did not show a change', missing),
    ];
  } finally {
    for (const { process: child, ended } of servers) {
      child.kill('SIGKILL');
      await ended;
    }
    await location.close();
  }
}

const showsCampaigns = (query: DashboardQuery): boolean => query.showsCampaigns;

const manifestOf = (queries: readonly DashboardQuery[]): string =>
  JSON.stringify(Object.fromEntries(queries.map(({ text }) => [documentHash(text), text])));

/** Collections of garbage and a task of every minute may fall into some of the readings. */
async function idlePercent({ process: child }: RunningServer, seconds: number): Promise<number> {
  const pid = child.pid ?? 0;
  const readings: number[] = [];
  while (readings.length < idleReadings) {
    const [cpuBefore, startedAt] = [cpuMsOf(pid), performance.now()];
    await pause(seconds * 1_000);
    readings.push(((cpuMsOf(pid) - cpuBefore) / (performance.now() - startedAt)) * 100);
  }
  return percentile(readings, 50);
}

/** The newest campaign, which every dashboard of campaigns shows. */
async function createCampaign(address: string, key: string) {
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${address}/api/sponsorship/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return Object(answer);
  };
  const { campaign } = await send('POST', '/campaigns', { name: 'Newest', durationMonths: 3 });
  return {
    rename: (name: string) => send('PATCH', `/campaigns/${campaign.id}`, { name }),
  };
}
