import { type ReactNode, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import type { PlainKey } from '../texts/catalogue.ts';
import { formatNumber } from '../texts/format.ts';
import { t, withTexts } from '../texts/text.ts';
import { SelectField } from '../ui/fields.tsx';
import { formatBytes, vaultStates } from '../ui/labels.ts';
import { Card, Figure, Figures } from '../ui/page.tsx';
import { Badge, EmptyState, Loaded, Notice, Progress } from '../ui/status.tsx';
import { formatDuration, formatMilliseconds, formatPercent } from './amounts.ts';
import { VaultNowDocument, type VaultNowQuery } from './documents.ts';
import { Timeline } from './timeline.tsx';

const refreshMs = 8_000;
const periods = [
  { value: '60', label: 'vault.lastHour' },
  { value: '360', label: 'vault.last6Hours' },
  { value: '1440', label: 'vault.lastDay' },
] as const;

export function StatePage() {
  const [minutes, setMinutes] = useState(60);
  const answer = useGraphQuery(VaultNowDocument, { minutes }, { refreshMs });
  const periodSelect = (
    <SelectField
      label={t('vault.period')}
      options={withTexts(periods)}
      value={String(minutes)}
      onValue={(value) => setMinutes(Number(value))}
    />
  );
  return (
    <Loaded answer={answer} lines={10}>
      {({ vault }) => (
        <>
          <StateNote vault={vault} />
          {(vault.state === 'HEALTHY' || vault.state === 'UNHEALTHY') && (
            <Monitoring vault={vault} minutes={minutes} periodSelect={periodSelect} />
          )}
        </>
      )}
    </Loaded>
  );
}

type MonitoringProps = { vault: VaultNowQuery['vault']; minutes: number; periodSelect: ReactNode };

function Monitoring({ vault, minutes, periodSelect }: MonitoringProps) {
  if (vault.system === null && vault.figures.length === 0) {
    return <Notice>{t('vault.noMonitoring')}</Notice>;
  }
  return (
    <>
      <FiguresNow vault={vault} />
      <Card title={t('vault.overTime')} actions={periodSelect}>
        <FiguresOverTime figures={vault.figures} minutes={minutes} />
      </Card>
    </>
  );
}

type VaultStatus = VaultNowQuery['vault'];

const explanations: Record<VaultStatus['state'], PlainKey> = {
  HEALTHY: 'vault.healthyHint',
  UNHEALTHY: 'vault.unhealthyHint',
  LOCKED: 'vault.lockedHint',
  AWAY: 'vault.awayHint',
  NONE: 'vault.noneHint',
};

/** The state of the vault, with an explanation. */
function StateNote({
  vault: { state, version, uptimeSeconds, checks, rateLimit },
}: {
  vault: VaultStatus;
}) {
  const { tone, label } = vaultStates[state];
  return (
    <Notice tone={tone}>
      <div role="status" className="row">
        <Badge tone={tone}>{t(label)}</Badge>
        <span>{t(explanations[state])}</span>
      </div>
      {checks.length > 0 && (
        <p className="vault-about">
          {version !== null && `${t('vault.version', { version })}, `}
          {uptimeSeconds !== null &&
            `${t('vault.runningFor', { duration: formatDuration(uptimeSeconds) })} · `}
          {checks.map(({ name, healthy, latencyMs }, index) => (
            <span key={name}>
              {index > 0 && ' · '}
              {name === 'vectorDb' ? t('vault.vectorDatabase') : name}:{' '}
              {healthy ? t('vault.available') : t('vault.notResponding')}
              {latencyMs !== null && ` (${formatMilliseconds(latencyMs)})`}
            </span>
          ))}
          {rateLimit &&
            ` · ${t('vault.callsLeft', {
              remaining: rateLimit.remaining,
              limit: rateLimit.limit,
              windowSeconds: rateLimit.windowSeconds,
              limited: rateLimit.limited ? 'yes' : 'no',
            })}`}
        </p>
      )}
    </Notice>
  );
}

/** The latest samples. A figure that is not sampled is hidden. */
function FiguresNow({ vault: { system } }: { vault: VaultNowQuery['vault'] }) {
  const { cpu, memory, disks, process, database, reembedding } = system ?? {};
  return (
    <>
      {typeof reembedding === 'number' && reembedding < 1 && (
        <Notice tone="busy">
          <p>{t('vault.reembedding')}</p>
          <Progress value={reembedding} label={t('vault.reembedded')} />
        </Notice>
      )}
      <Figures>
        {cpu && (
          <Figure
            label={t('vault.processor')}
            value={formatPercent(cpu.usagePercent)}
            hint={t('vault.ofCores', { cores: cpu.cores })}
          />
        )}
        {memory && (
          <Figure
            label={t('vault.memory')}
            value={formatPercent(memory.usagePercent)}
            hint={t('vault.usedOf', {
              used: formatBytes(memory.usedBytes),
              total: formatBytes(memory.totalBytes),
            })}
          />
        )}
        {distinctDisks(disks ?? []).map(({ path, usagePercent, freeBytes, label }) => (
          <Figure
            key={label}
            label={label}
            value={formatPercent(usagePercent)}
            hint={t('vault.diskFree', { free: formatBytes(freeBytes), path: path ?? 'none' })}
          />
        ))}
        {process && (
          <Figure
            label={t('vault.eventLoop')}
            value={formatMilliseconds(process.eventLoopDelayMs)}
            hint={t('vault.averageDelay', { used: formatBytes(process.rssBytes) })}
          />
        )}
        {database && (
          <Figure
            label={t('vault.vectorDatabase')}
            value={database.latencyMs === null ? '–' : formatMilliseconds(database.latencyMs)}
            hint={
              database.documentCount === null
                ? t('vault.responseTime')
                : t('vault.responseTimeDocuments', { documentCount: database.documentCount })
            }
          />
        )}
      </Figures>
    </>
  );
}

type DiskSamples = NonNullable<NonNullable<VaultNowQuery['vault']['system']>['disks']>;

/** Directories on the same disk have the same samples, so each disk is shown once. */
function distinctDisks(disks: DiskSamples) {
  const distinct = [
    ...new Map(disks.map((disk) => [`${disk.totalBytes} ${disk.freeBytes}`, disk])).values(),
  ];
  return distinct.map((disk, index) => ({
    ...disk,
    label: distinct.length > 1 ? t('vault.diskNumber', { index: index + 1 }) : t('vault.disk'),
  }));
}

type VaultFigures = VaultNowQuery['vault']['figures'];
type FigureKind = {
  key: Exclude<keyof VaultFigures[number], 'at'>;
  title: PlainKey;
  format: (value: number) => string;
  maximum?: number;
};

const periodMsMin = 120_000;

const figureKinds: readonly FigureKind[] = [
  { key: 'cpuPercent', title: 'vault.processor', format: formatPercent, maximum: 100 },
  { key: 'memoryPercent', title: 'vault.memory', format: formatPercent, maximum: 100 },
  { key: 'storagePercent', title: 'vault.fullestDisk', format: formatPercent, maximum: 100 },
  { key: 'eventLoopDelayMs', title: 'vault.eventLoopDelay', format: formatMilliseconds },
  { key: 'databaseLatencyMs', title: 'vault.databaseResponseTime', format: formatMilliseconds },
  {
    key: 'documentCount',
    title: 'vault.allDocuments',
    format: (count) => formatNumber(Math.round(count)),
  },
];

function FiguresOverTime({ figures, minutes }: { figures: VaultFigures; minutes: number }) {
  if (figures.length === 0)
    return <EmptyState title={t('vault.noFigures')}>{t('vault.noFiguresHint')}</EmptyState>;
  const untilMs = Date.now();
  // For a vault that has just started, the chart begins at its first sample instead of showing an
  // empty period.
  const firstMs = Math.min(...figures.map(({ at }) => Date.parse(at)));
  const fromMs = Math.max(untilMs - minutes * 60_000, Math.min(firstMs, untilMs - periodMsMin));
  return (
    <div className="vault-timelines">
      {figureKinds.map(({ key, title, format, maximum }) => {
        const points = figures.flatMap((figure) => {
          const value = figure[key];
          return value === null ? [] : [{ atMs: Date.parse(figure.at), value }];
        });
        if (points.length === 0) return null;
        return (
          <Timeline
            key={key}
            title={t(title)}
            points={points}
            fromMs={fromMs}
            untilMs={untilMs}
            format={format}
            {...(maximum && { maximum })}
          />
        );
      })}
    </div>
  );
}
