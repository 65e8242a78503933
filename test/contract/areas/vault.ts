import type { Answer } from '../answer.ts';
import { fetchAnswer } from '../client.ts';
import {
  boolean,
  filledText,
  integer,
  listOf,
  type Matcher,
  matching,
  number,
  objectWith,
  oneOf,
  orNull,
  time,
} from '../matchers.ts';
import type { Suite } from '../suite.ts';

const percentage = number;

/** The sections of rule D34; a section whose interval is 0 is null. */
const systemShape: Record<string, Matcher> = {
  status: oneOf('healthy', 'unhealthy'),
  timestamp: time,
  uptimeSeconds: integer,
  cpu: orNull(objectWith({ usagePercent: percentage, cores: number, loadAverage: listOf(number) })),
  memory: orNull(
    objectWith({
      totalBytes: integer,
      usedBytes: integer,
      freeBytes: integer,
      usagePercent: percentage,
      source: filledText,
    }),
  ),
  storage: orNull(
    listOf(
      objectWith({
        path: filledText,
        totalBytes: integer,
        usedBytes: integer,
        freeBytes: integer,
        usagePercent: percentage,
      }),
    ),
  ),
  database: orNull(objectWith({ status: filledText, documentCount: integer, latencyMs: number })),
  process: orNull(
    objectWith({ rssBytes: integer, heapUsedBytes: integer, eventLoopDelayMs: number }),
  ),
  intervals: objectWith({}),
};

const rateLimitShape: Record<string, Matcher> = {
  status: filledText,
  timestamp: time,
  limit: integer,
  remaining: integer,
  used: integer,
  reset: integer,
  windowSeconds: integer,
  limited: boolean,
  blockedTotal: integer,
};

/** The vault: part 4.5, decisions D34, D35. */
export async function checkVault(suite: Suite): Promise<void> {
  const { check, credentials, report } = suite;
  const { 'vault-url': vault, 'vault-secret': secret, 'vector-db-url': vectorDb } = credentials;
  if (vault === undefined) report.skipped.set('the vault', '--vault-url is not given');
  else {
    const health = await fetchAnswer(vault, { method: 'GET', path: '/health' });
    check('4.5 GET /health answers 200 without a key', health, health.status, 200);
    check('4.5 GET /health: status is healthy', health, health.at('status'), 'healthy');
    check('D34 GET /health: version', health, health.at('version'), filledText);
    check('D34 GET /health: uptimeSeconds', health, health.at('uptimeSeconds'), integer);
    check(
      'D34 GET /health: checks.vectorDb.status',
      health,
      health.at('checks.vectorDb.status'),
      'healthy',
    );
    check(
      'D34 GET /health: checks.vectorDb.latencyMs',
      health,
      health.at('checks.vectorDb.latencyMs'),
      number,
    );
    checkJson(suite, 'GET /health', health);
    for (const path of ['/health/system', '/health/ratelimit'])
      for (const [description, headers] of [
        ['without a secret', {}],
        ['with a wrong secret', { authorization: 'Bearer wrong-secret-of-the-suite' }],
        ['with Basic', { authorization: 'Basic eDp5' }],
        [
          'with the start of the secret',
          { authorization: `Bearer ${secret?.slice(0, -1) ?? 'x'}` },
        ],
      ] as const) {
        const refused = await fetchAnswer(vault, { method: 'GET', path, headers });
        check(`D34 GET ${path} ${description} is 401`, refused, refused.status, 401);
        check(
          `Part 2, GET ${path} ${description}: the error body`,
          refused,
          [refused.at('status'), typeof refused.at('message')],
          ['error', 'string'],
        );
      }
    const unknown = await fetchAnswer(vault, {
      method: 'GET',
      path: '/unknown',
      headers: { authorization: `Bearer ${secret}` },
    });
    check(
      'Part 2, an unknown path of the vault has the error body',
      unknown,
      [unknown.status, unknown.at('status')],
      [404, 'error'],
    );
    await checkMonitoring(suite, vault, secret);
  }
  if (vectorDb === undefined)
    return void report.skipped.set('the vector database', '--vector-db-url is not given');
  const ready = await fetchAnswer(vectorDb, { method: 'GET', path: '/v1/.well-known/ready' });
  check('D35 GET /v1/.well-known/ready answers 200 without a key', ready, ready.status, 200);
  check('4.5 GET /v1/.well-known/ready: status is healthy', ready, ready.at('status'), 'healthy');
  const meta = await fetchAnswer(vectorDb, { method: 'GET', path: '/v1/meta' });
  check('D35 GET /v1/meta answers 200', meta, meta.status, 200);
  for (const field of ['documentCount', 'objectCount', 'collections'])
    check(`D35 GET /v1/meta: ${field}`, meta, meta.at(field), integer);
  check('D35 GET /v1/meta: hostname', meta, meta.at('hostname'), filledText);
  check('D35 GET /v1/meta: version', meta, meta.at('version'), filledText);
  check('D35 GET /v1/meta: modules', meta, typeof meta.at('modules'), 'object');
  checkJson(suite, 'GET /v1/meta', meta);
}

async function checkMonitoring(
  suite: Suite,
  vault: string,
  secret: string | undefined,
): Promise<void> {
  const { check, report } = suite;
  if (secret === undefined)
    return void report.skipped.set(
      '/health/system and /health/ratelimit',
      '--vault-secret is not given',
    );
  for (const [path, shape] of [
    ['/health/system', systemShape],
    ['/health/ratelimit', rateLimitShape],
  ] as const) {
    const answer = await fetchAnswer(vault, {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${secret}` },
    });
    if (answer.status === 404) {
      report.skipped.set(path, 'monitoring is off');
      continue;
    }
    check(`4.5 GET ${path} with the secret answers 200`, answer, answer.status, 200);
    for (const [field, matcher] of Object.entries(shape))
      check(`D34 GET ${path}: ${field} is ${matcher.words}`, answer, answer.at(field), matcher);
    checkJson(suite, `GET ${path}`, answer);
    const { limit, remaining, used } = Object(answer.body);
    if (path === '/health/ratelimit')
      check(
        'D34 GET /health/ratelimit: used and remaining are the limit',
        answer,
        used + remaining,
        limit,
      );
    const { totalBytes, usedBytes, freeBytes } = Object(answer.at('memory'));
    if (typeof totalBytes === 'number')
      check(
        'D34 GET /health/system: used and free memory are the total',
        answer,
        usedBytes + freeBytes,
        totalBytes,
      );
  }
}

function checkJson({ check }: Suite, name: string, answer: Answer): void {
  check(
    `Conventions, ${name} is JSON`,
    answer,
    answer.headers.get('content-type'),
    matching(/^application\/json/),
  );
}
