type HealthReport = {
  status: 'healthy' | 'unhealthy';
  version: string;
  uptimeSeconds: number;
  latencyMs: number | null;
  checkedAt: Date;
  reportedAt: Date;
};

/**
 * Formats the health answer as in draft-inadarei-api-health-check-06, for programs that monitor many
 * services.
 */
export function toHealthJson({
  status,
  version,
  uptimeSeconds,
  latencyMs,
  checkedAt,
  reportedAt,
}: HealthReport): object {
  const checkStatus = status === 'healthy' ? 'pass' : 'fail';
  const responseTime = latencyMs === null ? {} : { observedValue: latencyMs, observedUnit: 'ms' };
  return {
    status: checkStatus,
    version: version.split('.')[0],
    releaseId: version,
    description: 'health of the vault',
    checks: {
      'vectorDb:responseTime': [
        {
          componentType: 'datastore',
          ...responseTime,
          status: checkStatus,
          time: checkedAt.toISOString(),
        },
      ],
      uptime: [
        {
          componentType: 'system',
          observedValue: uptimeSeconds,
          observedUnit: 's',
          status: 'pass',
          time: reportedAt.toISOString(),
        },
      ],
    },
  };
}
