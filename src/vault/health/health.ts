import { prefers } from '../../http/accept.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { version } from '../../platform/version.ts';
import { jsonAnswer } from '../answer.ts';
import { historyMinutesMax } from '../monitoring/history.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import { numberIn } from '../query.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { VaultRoute } from '../route.ts';
import type { ReEmbedding } from '../search/re-embed.ts';
import { toHealthJson } from './health-json.ts';

type HealthDependencies = {
  monitoring: Monitoring;
  rateLimit: RateLimit;
  reEmbedding: Pick<ReEmbedding, 'progress'>;
  clock: Clock;
};

const healthJsonType = 'application/health+json';

/** The routes for monitoring the vault. */
export function healthRoutes({
  monitoring,
  rateLimit,
  reEmbedding,
  clock,
}: HealthDependencies): VaultRoute[] {
  const requireMonitoring = () => {
    if (!monitoring.isOn) throw new AppError('NOT_FOUND', 'Monitoring is off');
  };
  const health: VaultRoute['answer'] = async (request, { headers }) => {
    const { status, latencyMs, checkedAt } = await monitoring.vectorDb();
    const code = status === 'healthy' ? 200 : 503;
    const uptimeSeconds = Math.floor(process.uptime());
    headers['vary'] = 'Accept';
    if (prefers(request.headers.get('accept'), healthJsonType, 'application/json')) {
      return jsonAnswer(
        code,
        toHealthJson({ status, version, uptimeSeconds, latencyMs, checkedAt, reportedAt: clock() }),
        headers,
        healthJsonType,
      );
    }
    return jsonAnswer(
      code,
      { status, version, uptimeSeconds, checks: { vectorDb: { status, latencyMs } } },
      headers,
    );
  };

  const system: VaultRoute['answer'] = async (_, { headers }) => {
    requireMonitoring();
    const [{ status }, { measurements, samples }] = await Promise.all([
      monitoring.vectorDb(),
      monitoring.measurements(),
    ]);
    const head = {
      status,
      timestamp: clock().toISOString(),
      uptimeSeconds: Math.floor(process.uptime()),
    };
    return jsonAnswer(
      200,
      {
        ...head,
        ...measurements,
        reembedding: reEmbedding.progress(),
        intervals: monitoring.intervals,
        samples,
      },
      headers,
    );
  };

  const history: VaultRoute['answer'] = async (_, { headers, query }) => {
    requireMonitoring();
    const bounds = { defaultValue: 60, min: 1, max: historyMinutesMax };
    const minutes = numberIn(query, 'minutes', bounds, 'minutes:');
    const { status } = await monitoring.vectorDb();
    const { stepSeconds, last } = monitoring.history;
    return jsonAnswer(
      200,
      { status, timestamp: clock().toISOString(), minutes, stepSeconds, points: last(minutes) },
      headers,
    );
  };

  const limits: VaultRoute['answer'] = async (_, { headers }) => {
    requireMonitoring();
    const { status } = await monitoring.vectorDb();
    return jsonAnswer(
      200,
      { status, timestamp: clock().toISOString(), ...rateLimit.snapshot() },
      headers,
    );
  };

  return [
    { method: 'GET', path: '/health', operation: 'vaultHealth', access: 'public', answer: health },
    {
      method: 'GET',
      path: '/health/system',
      operation: 'vaultHealthSystem',
      access: 'monitoring',
      answer: system,
    },
    {
      method: 'GET',
      path: '/health/system/history',
      operation: 'vaultHealthHistory',
      access: 'monitoring',
      answer: history,
    },
    {
      method: 'GET',
      path: '/health/ratelimit',
      operation: 'vaultHealthRatelimit',
      access: 'monitoring',
      answer: limits,
    },
  ];
}
