type Found = {
  status: 'healthy' | 'unhealthy';
  version: string;
  uptimeSeconds: number;
  latencyMs: number | null;
  checkedAt: Date;
  at: Date;
};

/**
 * The same in the form of draft-inadarei-api-health-check-06, for programs that watch many
 * services.
 */
export function asHealthJson({
  status,
  version,
  uptimeSeconds,
  latencyMs,
  checkedAt,
  at,
}: Found): object {
  const verdict = status === 'healthy' ? 'pass' : 'fail';
  const responseTime = latencyMs === null ? {} : { observedValue: latencyMs, observedUnit: 'ms' };
  return {
    status: verdict,
    version: version.split('.')[0],
    releaseId: version,
    description: 'health of the vault',
    checks: {
      'vectorDb:responseTime': [
        {
          componentType: 'datastore',
          ...responseTime,
          status: verdict,
          time: checkedAt.toISOString(),
        },
      ],
      uptime: [
        {
          componentType: 'system',
          observedValue: uptimeSeconds,
          observedUnit: 's',
          status: 'pass',
          time: at.toISOString(),
        },
      ],
    },
  };
}
