import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { atLeast } from '../../bench/goals.ts';
import { tableCalls } from '../../support/openapi.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { brokenRequest } from './break-request.ts';
import { readLiveIds, updateIds } from './live-ids.ts';
import { fuzzKeys, toHttpRequest, validDraft } from './rest-requests.ts';
import { watchRows } from './row-changes.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { type HttpAnswer, type HttpRequest, parseJson, send } from './send.ts';
import { openTarget } from './target.ts';

export const proof: Proof = {
  claim:
    'A dry run of a REST write, valid or broken, answers like the real request that follows it, and changes no row',
  async measure({ quick, seed, log }): Promise<ProofFinding[]> {
    const count = quick ? 300 : 10_000;
    const target = await openTarget();
    const { databaseUrl } = target;
    if (databaseUrl === undefined) {
      await target.stop();
      return [{ figure: 'pairs of a dry run and a real request', skipped: 'no Postgres to watch' }];
    }
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      const ids = await readLiveIds(target);
      const keys = fuzzKeys(target);
      const rows = await watchRows(client);
      // Nobody lists the ids of conversations and runs here, so these writes only get unknown ones.
      const writes = tableCalls.filter(
        ({ method, template }) => method !== 'GET' && !/conversations|runs/.test(template),
      );
      const unproven = new Set(writes);
      let successes = 0;
      let differences = 0;
      let changes = 0;
      let unanswered = 0;
      const statuses = new Map<number, number>();
      for (let index = 0; index < count; index += 1) {
        const random = seededRandom(seed, index);
        const call = writes[index % writes.length];
        if (!call) throw new Error('the table of calls has no writes');
        const draw = () => validDraft(random, ids, keys, [call]);
        const isValid = Math.floor(index / writes.length) % 3 !== 2;
        const request = randomWrite(random, draw, { isValid, keys });
        await backgroundEnded(client, request);
        await rows.takeChangedTables();
        const dry = await send(target.address, withPreference(request));
        const changedTables = await rows.takeChangedTables();
        if (changedTables.length > 0) {
          changes += 1;
          log(`${index}: ${describe(request)} changed ${changedTables}`);
        }
        const real = await send(target.address, request);
        if ('failure' in dry || 'failure' in real) {
          unanswered += 1;
          const failures = [dry, real].map((answer) => 'failure' in answer && answer.failure);
          log(`${index}: ${describe(request)} got no answer: ${failures}`);
          continue;
        }
        const seen = shapeOfAnswer(request, dry);
        const expected = asStored(request, shapeOfAnswer(request, real));
        if (seen !== expected) {
          differences += 1;
          log(`${index}: ${describe(request)} answered ${seen}, and then ${expected}`);
        }
        statuses.set(real.status, (statuses.get(real.status) ?? 0) + 1);
        if (real.status < 300) {
          successes += 1;
          if (isValid) unproven.delete(call);
          updateIds(ids, request, real);
        }
        if (index > 0 && index % 1_000 === 0) log(`${index} pairs`);
      }
      for (const { method, template } of unproven) log(`${method} ${template} never succeeded`);
      log(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
      return [
        atLeast(count, { figure: 'pairs of a dry run and a real request', value: count, unit: '' }),
        atLeast(30, {
          figure: 'real requests that succeeded',
          value: (successes / count) * 100,
          unit: '%',
        }),
        exactlyZero('writes of REST of which no request succeeded', unproven.size),
        exactlyZero('dry runs whose status or body differs from the real answer', differences),
        exactlyZero('dry runs that changed a row', changes),
        exactlyZero('requests without an answer', unanswered),
      ];
    } finally {
      await client.end();
      await target.stop();
    }
  },
};

type WriteOptions = { isValid: boolean; keys: Parameters<typeof brokenRequest>[2] };

function randomWrite(
  random: SeededRandom,
  draw: () => ReturnType<typeof validDraft>,
  { isValid, keys }: WriteOptions,
): HttpRequest {
  for (;;) {
    const draft = draw();
    delete draft.headers['prefer'];
    if (isValid) return toHttpRequest(draft);
    const broken = brokenRequest(random, draft, keys);
    if (!['GET', 'HEAD', 'OPTIONS'].includes(broken.method)) return broken;
  }
}

const withPreference = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: { ...request.headers, prefer: 'dry-run' },
});

const describe = ({ method, path }: HttpRequest) => `${method} ${path}`;

/** Status and body, without ids, tokens, secrets, tags and times, which are new in each answer. */
function shapeOfAnswer({ path }: HttpRequest, { status, body, headers }: HttpAnswer): string {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return `${status} events`;
  const parsed = parseJson(body);
  // The model of a run is not asked, so only the fields of its answer are compared.
  const isRun = status === 200 && /\/run\/?(\?|$)/.test(path);
  const shape = JSON.stringify(isRun ? Object.keys(Object(parsed)) : parsed) ?? body.toString();
  return `${status} ${shape
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
    .replaceAll(/wh(?:sec|pk)_[\w+/]{43}=/g, '<secret>')
    .replaceAll(/\b[0-9A-Za-z]{32}\b/g, '<token>')
    .replaceAll(/try again in \d+ s/g, 'try again')}`;
}

/**
 * Waits until nothing happens to the file, delivery or endpoint of the request, because the answer
 * tells what was derived from a file, how a delivery went and whether a replay is in progress.
 */
async function backgroundEnded(client: pg.Client, { path }: HttpRequest): Promise<void> {
  const [, kind = '', id] = /\/(files|deliveries|endpoints)\/([0-9a-f-]{36})/.exec(path) ?? [];
  const inProgress = inProgressOf[kind];
  for (let tries = 0; inProgress !== undefined && tries < 200; tries += 1) {
    const { rows } = await client.query(inProgress, [id]);
    if (rows.length === 0) return;
    await sleep(25);
  }
}

const inProgressOf: Record<string, string> = {
  files: `select from assistant_files where id = $1 and status in ('PENDING', 'PROCESSING')`,
  deliveries: `select from webhook_deliveries where id = $1 and state = 'PENDING'`,
  endpoints: 'select from webhook_replays where endpoint_id = $1',
};

/**
 * The real answer to an upload or a replacement, as of the moment when the file was stored. The file
 * is read after that was committed, when the worker may have taken it already, so that its status is
 * any. A dry run stores nothing that a worker could take: its status has to be PENDING.
 */
const asStored = ({ method, path }: HttpRequest, shape: string) =>
  shape.startsWith('200 ') && /^(POST|PUT)$/.test(method) && /\/files\b/.test(path)
    ? shape.replace(
        /"processingStatus":"(PROCESSING|COMPLETED|FAILED)"/,
        '"processingStatus":"PENDING"',
      )
    : shape;
