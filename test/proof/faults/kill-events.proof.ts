import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { atLeast } from '../../bench/goals.ts';
import { freePort, type RunningServer, start } from '../../support/process.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { seededRandom } from '../fuzz/seeded-random.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import { openDataLocation, serverUrl } from './data-location.ts';
import { readFeed, type SeenEvent } from './kill-events/feed-reader.ts';
import { typesOfTeam, writeTeam } from './kill-events/team-writer.ts';
import { readKeys } from './load/mixed-load.ts';

const teams = 25_000;
const writers = 200;
const kills = 20;
const processes = 2;
// What the receiver refuses comes again after 10 or after 34 seconds. Kills can make it fail twice
// more: then it comes again after seven minutes.
const quietMsMax = 600_000;
const progressEveryMs = 30_000;
const receiverProgram = fileURLToPath(new URL('./kill-events/receiver.ts', import.meta.url));

export const proof: Proof = {
  claim:
    'While API processes and a webhook receiver are killed, a reader of the feed gets each event once and in order, and the receiver gets each at least once and in order for its resource',
  long: true,
  async measure(context) {
    if (await isPostgresReachable(serverUrl)) return killEvents(context);
    return [{ figure: 'changes', skipped: `no Postgres at ${serverUrl}` }];
  },
};

async function killEvents({ seed, log }: ProofContext): Promise<ProofFinding[]> {
  const random = seededRandom(seed, 1_000);
  const location = await openDataLocation('postgres');
  const settings = {
    ...location.settings,
    ...{ PUBLIC_REQUEST_LOOPBACK: 'true', LOG_LEVEL: 'info' },
    AUTH_SECRET: randomBytes(32).toString('hex'),
  };
  const servers: (RunningServer | undefined)[] = [];
  const receiver = { port: await freePort(), file: join(location.directory, 'received') };
  let receiving: ChildProcess | undefined;
  const address = () => random.pick(servers.filter((server) => server !== undefined))?.address;
  const database = new Client(location.settings.DATABASE_URL);
  try {
    const first = await start(settings, ['api']);
    servers.push(first);
    while (servers.length < processes) servers.push(await start(settings, ['api']));
    await database.connect();
    receiving = await startReceiver(receiver);
    const { organizationKey } = await readKeys(first, first.output());
    const caller = { organizationKey, address };
    await createEndpoint(first.address, organizationKey, receiver.port);

    const written: string[] = [];
    let taken = 0;
    const write = async () => {
      for (; taken < teams; ) {
        taken += 1;
        written.push(await writeTeam(`team-${taken}`, caller));
      }
    };
    const changes = teams * typesOfTeam.length;
    let seen: readonly SeenEvent[] = [];
    const reading = readFeed(caller, (events) => {
      seen = events;
      return events.length >= changes && written.length === teams;
    });
    const writing = Promise.all(Array.from({ length: writers }, write));
    let failure: unknown;
    for (const work of [reading, writing])
      work.catch((error: unknown) => {
        failure = error;
      });
    const untilWritten = async (count: number) => {
      while (written.length < count) {
        if (failure !== undefined) throw failure;
        await pause(20);
      }
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilWritten((teams * kill) / (kills + 1));
      await pause(random.below(500));
      const victim = random.below(processes);
      servers[victim] = await restartAfterKill(servers, victim, () => start(settings, ['api']));
      receiving.kill('SIGKILL');
      receiving = await startReceiver(receiver);
      log(`${kill} kills, ${written.length} teams written, ${seen.length} events read`);
    }
    await writing;
    const feed = await reading;
    const eventsOf = Map.groupBy(feed, ({ team }) => team);
    await untilDelivered(database, log);
    const received = requestsIn(receiver.file);
    const accepted = received.filter(({ isRefused }) => !isRefused);
    const ids = new Set(feed.map(({ id }) => id));
    const acceptedIds = new Set(accepted.map(({ id }) => id));
    const missing = [...ids].filter((id) => !acceptedIds.has(id));
    const refusals = received.length - accepted.length;
    return [
      atLeast(kills, {
        figure: 'kills of an API process and of the receiver',
        value: kills,
        unit: '',
      }),
      atLeast(changes, { figure: 'changes', value: feed.length, unit: '' }),
      atLeast(1, { figure: 'webhooks that the receiver refused', value: refusals, unit: '' }),
      exactlyZero('events that the feed repeated', feed.length - ids.size),
      exactlyZero(
        'teams whose events the feed did not give once and in order',
        written.filter((team) => !isInOrder(eventsOf.get(team))).length,
      ),
      exactlyZero('events that the receiver never got', missing.length),
      exactlyZero('webhooks that came out of order for their team', outOfOrder(received, feed)),
    ];
  } finally {
    receiving?.kill('SIGKILL');
    for (const server of servers) server?.process.kill('SIGKILL');
    for (const server of servers) await server?.ended;
    await database.end();
    await location.close();
  }
}

type Received = SeenEvent & { isRefused: boolean };

const requestsIn = (file: string): Received[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const isInOrder = (events: readonly SeenEvent[] = []): boolean =>
  events.map(({ type }) => type).join() === typesOfTeam.join();

/** Tries of an event that came after a try of a later event of its team. */
function outOfOrder(received: readonly Received[], feed: readonly SeenEvent[]): number {
  const places = new Map(feed.map(({ id }, index) => [id, index]));
  const latest = new Map<string, number>();
  let count = 0;
  for (const { id, team } of received) {
    const place = places.get(id) ?? -1;
    if (place < (latest.get(team) ?? 0)) count += 1;
    else latest.set(team, place);
  }
  return count;
}

async function createEndpoint(address: string, key: string, port: number): Promise<void> {
  const response = await fetch(`${address}/api/events/v1/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: `http://127.0.0.1:${port}/`,
      types: ['team.created', 'team.renamed', 'team.deleted'],
    }),
  });
  if (response.status !== 200) throw new Error(`No endpoint: ${await response.text()}`);
}

async function startReceiver({
  port,
  file,
}: {
  port: number;
  file: string;
}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [receiverProgram, String(port), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Kills the process and starts another one in its place. */
async function restartAfterKill(
  servers: (RunningServer | undefined)[],
  victim: number,
  startServer: () => Promise<RunningServer>,
): Promise<RunningServer> {
  const killed = servers[victim];
  servers[victim] = undefined;
  killed?.process.kill('SIGKILL');
  await killed?.ended;
  return startServer();
}

/** Waits until the receiver has accepted all that the proof has caused. */
async function untilDelivered(database: Client, log: ProofContext['log']): Promise<void> {
  let before = -1;
  let changedAt = performance.now();
  for (;;) {
    const { rows } = await database.query(
      `select count(*) filter (where state = 'PENDING')::int as pending, count(*) filter (where state = 'DELIVERED')::int as delivered,
        (select count(*)::int from webhook_endpoints e where state <> 'DISABLED' and exists (
          select from audit_entries a where a.organization_id = e.organization_id and a.tx_id >= e.next_transaction and a.target_type = 'Team')) as waiting
       from webhook_deliveries`,
    );
    const { pending, delivered, waiting } = rows[0];
    if (pending === 0 && waiting === 0) return;
    if (delivered !== before) {
      before = delivered;
      changedAt = performance.now();
    } else if (performance.now() - changedAt > quietMsMax)
      throw new Error(`No webhook was delivered for ${quietMsMax} ms; ${pending} wait`);
    log(`${delivered} webhooks delivered, ${pending} wait`);
    // As autovacuum does where it is on: each try leaves two versions of its row behind.
    await database.query('vacuum analyze webhook_deliveries');
    await pause(progressEveryMs);
  }
}
