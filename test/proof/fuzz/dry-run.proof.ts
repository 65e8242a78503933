import pg from 'pg';
import { atLeast } from '../../bench/goals.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { brokenRequest } from './break-request.ts';
import { readLiveIds, updateIds } from './live-ids.ts';
import { fuzzKeys, toHttpRequest, validDraft } from './rest-requests.ts';
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
      let successes = 0;
      let differences = 0;
      let changes = 0;
      let unanswered = 0;
      const statuses = new Map<number, number>();
      for (let index = 0; index < count; index += 1) {
        const random = seededRandom(seed, index);
        const request = randomWrite(random, () => validDraft(random, ids, keys), {
          isValid: index % 3 !== 0,
          keys,
        });
        const before = await rowsOf(client);
        const dry = await send(target.address, withPreference(request));
        const after = await rowsOf(client);
        const changedTables = [...after].filter(([table, rows]) => before.get(table) !== rows);
        if (changedTables.length > 0) {
          changes += 1;
          log(`${index}: ${describe(request)} changed ${changedTables.map(([table]) => table)}`);
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
          updateIds(ids, request, real);
        }
        if (index > 0 && index % 1_000 === 0) log(`${index} pairs`);
      }
      log(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
      return [
        atLeast(count, { figure: 'pairs of a dry run and a real request', value: count, unit: '' }),
        atLeast(30, {
          figure: 'real requests that succeeded',
          value: (successes / count) * 100,
          unit: '%',
        }),
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
    if (draft.method === 'GET' || draft.method === 'HEAD') continue;
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

/** Status and body, without ids, tokens, tags and times, which are new in each answer. */
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
    .replaceAll(/\b[0-9A-Za-z]{32}\b/g, '<token>')
    .replaceAll(/try again in \d+ s/g, 'try again')}`;
}

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

// The file processor works on these in the background, and leases expire.
const background = ['quota_leases', 'file_removals', '_prisma_migrations'];
const backgroundColumns: Record<string, string[]> = {
  assistant_files: ['status', 'stage', 'updated_at', 'lease_until', 'holder', 'attempts'],
  api_keys: ['last_used_at'],
  organizations: ['last_file_turn_at'],
};

/** A digest of the rows of each table. */
async function rowsOf(client: pg.Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)`,
    [[...background, 'counter_deltas', 'assistant_files', 'redemption_month_deltas']],
  );
  const digests = tables.map(({ name }) => {
    const columns = (backgroundColumns[name] ?? []).map((column) => ` - '${column}'`).join('');
    return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended((to_jsonb(t)${columns})::text, 0)::numeric), 0) as rows from "${name}" t`;
  });
  const { rows } = await client.query<{ name: string; rows: string }>(
    `${digests.join(' union all ')}
     union all select 'assistant_files', coalesce(string_agg(id || hash, ',' order by id), '') from assistant_files
     union all select 'counter_deltas', coalesce(string_agg(counter || owner || total, ',' order by counter, owner), '')
       from (select counter, owner_id as owner, sum(delta) as total from counter_deltas where counter not ilike '%passage%' group by 1, 2) t`,
  );
  return new Map(rows.map(({ name, rows: digest }) => [name, digest]));
}
