import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import { type DatabaseKind, serverUrl } from '../faults/data-location.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { openTarget } from '../fuzz/target.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';

const addedMsMax = 1_000;
/** An organization can have 20 endpoints, and the demo has made two of them. */
const hostileEndpoints = 18;
const hostileChangesAtOnce = 10;
const pauseMs = 200;

export const proof: Proof = {
  claim:
    'Receivers that hang, drip, fail late or reset delay the webhooks of another organization by at most a second',
  timed: true,
  async measure(context) {
    const kinds: DatabaseKind[] = context.quick ? ['postgres'] : ['postgres', 'embedded'];
    const findings: ProofFinding[] = [];
    for (const kind of kinds)
      findings.push(
        ...(kind === 'postgres' && !(await isPostgresReachable(serverUrl))
          ? [{ figure: `${kind}: added delay`, skipped: 'no Postgres on this machine' }]
          : await measureDelay(kind, context)),
      );
    return findings;
  },
};

async function measureDelay(
  kind: DatabaseKind,
  { quick, log }: ProofContext,
): Promise<ProofFinding[]> {
  const changes = quick ? 20 : 100;
  const receiver = await openReceiver();
  const target = await openTarget({ database: kind });
  const [hostile, quiet] = target.organizations.map(({ organizationKey }) =>
    callerOf(target.address, organizationKey),
  );
  if (!hostile || !quiet) throw new Error('two organizations are needed');
  try {
    await quiet.createEndpoint(`${receiver.url}/accept`);
    const alone = await delaysOf(quiet, receiver, changes, 'alone');
    for (let index = 0; index < hostileEndpoints; index += 1)
      await hostile.createEndpoint(
        `${receiver.url}/${hostileManners[index % hostileManners.length]}`,
      );
    const stopping = new AbortController();
    const writing = Promise.all(
      Array.from({ length: hostileChangesAtOnce }, async (_, writer) => {
        for (let index = 0; !stopping.signal.aborted; index += 1)
          await hostile.createTeam(`hostile-${writer}-${index}`);
      }),
    );
    // By then the hostile receivers hold every try that their organization may have.
    await pause(3_000);
    const beside = await delaysOf(quiet, receiver, changes, 'beside');
    stopping.abort();
    await writing;
    const hostileRequests = receiver.hostileRequests();
    const [slowestAlone, slowest] = [slowestOf(alone), slowestOf(beside)];
    log(
      `${kind}: slowest of ${changes} webhooks alone ${slowestAlone} ms, beside hostile receivers ${slowest} ms, which got ${hostileRequests} requests`,
    );
    return [
      atLeast(hostileEndpoints / 3, {
        figure: `${kind}: requests that hostile receivers got`,
        value: hostileRequests,
        unit: '',
      }),
      exactlyZero(
        `${kind}: webhooks of the other organization that did not come`,
        [...alone, ...beside].filter((delay) => delay === undefined).length,
      ),
      atMost(addedMsMax, {
        figure: `${kind}: slowest webhook beside hostile receivers (${slowest} ms), later than alone (${slowestAlone} ms)`,
        value: slowest - slowestAlone,
        unit: 'ms',
      }),
    ];
  } finally {
    await target.stop();
    receiver.close();
  }
}

const slowestOf = (delays: readonly (number | undefined)[]) =>
  Math.round(Math.max(...delays.map((delay) => delay ?? 0)));

type Caller = ReturnType<typeof callerOf>;
type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** The milliseconds from the answer to each change to its webhook; undefined if none came. */
async function delaysOf(
  caller: Caller,
  receiver: Receiver,
  changes: number,
  name: string,
): Promise<(number | undefined)[]> {
  const delays: Promise<number | undefined>[] = [];
  for (let index = 0; index < changes; index += 1) {
    const team = await caller.createTeam(`${name}-${index}`);
    const changedAt = performance.now();
    delays.push(receiver.arrivalOf(team).then((at) => at && Math.max(0, at - changedAt)));
    await pause(pauseMs);
  }
  return Promise.all(delays);
}

function callerOf(address: string, organizationKey: string) {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organizationKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}`);
    return Object(await answer.json());
  };
  return {
    createEndpoint: (url: string) => post('events/v1/endpoints', { url, types: ['team.created'] }),
    async createTeam(name: string): Promise<string> {
      const { team } = await post('user-management/v1/teams', { name });
      return String(Object(team).id);
    },
  };
}

type Answer = (response: ServerResponse) => void;

const manners: Record<string, Answer> = {
  hang: () => undefined,
  drip: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 500);
    response.once('close', () => clearInterval(timer));
  },
  failLate: (response) => void setTimeout(() => response.writeHead(500).end(), 10_000).unref(),
  reset: (response) => void response.socket?.resetAndDestroy(),
};
const hostileManners = Object.keys(manners);
const arrivalMsMax = 60_000;

/** A receiver for both organizations; the path decides how it answers. */
async function openReceiver() {
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  let hostileRequests = 0;
  const accept = (text: string) => {
    const id: string = JSON.parse(text).data.resourceId;
    arrivals.set(id, performance.now());
    waiting.get(id)?.(performance.now());
  };
  const server = createServer(async (request: IncomingMessage, response) => {
    const answer = manners[String(request.url?.slice(1))];
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (answer) {
      hostileRequests += 1;
      answer(response);
      return;
    }
    accept(text);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hostileRequests: () => hostileRequests,
    /** When the webhook of a team came; undefined if it did not come within a minute. */
    arrivalOf(team: string): Promise<number | undefined> {
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      const at = arrivals.get(team);
      if (at !== undefined) return Promise.resolve(at);
      waiting.set(team, resolve);
      setTimeout(() => resolve(undefined), arrivalMsMax).unref();
      return promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
