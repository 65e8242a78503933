import { type ReactNode, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import { SelectField } from '../ui/fields.tsx';
import { formatBytes, vaultStates } from '../ui/labels.ts';
import { Card, Figure, Figures } from '../ui/page.tsx';
import { Badge, EmptyState, Loaded, Notice, Progress } from '../ui/status.tsx';
import { formatDuration, formatMilliseconds, formatPercent } from './amounts.ts';
import { VaultNowDocument, type VaultNowQuery } from './documents.ts';
import { Timeline } from './timeline.tsx';

const refreshMs = 8_000;
const periods = [
  { value: '60', label: 'Last hour' },
  { value: '360', label: 'Last 6 hours' },
  { value: '1440', label: 'Last day' },
];

export function StatePage() {
  const [minutes, setMinutes] = useState(60);
  const answer = useGraphQuery(VaultNowDocument, { minutes }, { refreshMs });
  const periodSelect = (
    <SelectField
      label="Period"
      options={periods}
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
    return (
      <Notice>
        The vault collects no figures, because its monitoring is disabled in its settings.
      </Notice>
    );
  }
  return (
    <>
      <FiguresNow vault={vault} />
      <Card title="Over time" actions={periodSelect}>
        <FiguresOverTime figures={vault.figures} minutes={minutes} />
      </Card>
    </>
  );
}

type VaultStatus = VaultNowQuery['vault'];

const explanations: Record<VaultStatus['state'], string> = {
  HEALTHY: 'The vault indexes and searches files.',
  UNHEALTHY:
    'The vault runs, but its vector database does not respond. Until it is back, new files wait and searches fail. No data are lost.',
  LOCKED:
    'The vault rejects this server. Start both with the same VAULT_SECRET. Until then, new files wait and searches fail.',
  AWAY: 'The vault does not respond. Until it is back, new files wait and searches fail. This page refreshes automatically.',
  NONE: 'This server runs without a vault. Assistants answer without files.',
};

const checkLabels: Record<string, string> = { vectorDb: 'Vector database' };

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
        <Badge tone={tone}>{label}</Badge>
        <span>{explanations[state]}</span>
      </div>
      {checks.length > 0 && (
        <p className="vault-about">
          {version !== null && `Version ${version}, `}
          {uptimeSeconds !== null && `running for ${formatDuration(uptimeSeconds)} · `}
          {checks.map(({ name, healthy, latencyMs }, index) => (
            <span key={name}>
              {index > 0 && ' · '}
              {checkLabels[name] ?? name}: {healthy ? 'available' : 'not responding'}
              {latencyMs !== null && ` (${formatMilliseconds(latencyMs)})`}
            </span>
          ))}
          {rateLimit &&
            ` · ${rateLimit.remaining.toLocaleString()} of ${rateLimit.limit.toLocaleString()} calls left in this window of ${rateLimit.windowSeconds} seconds${rateLimit.limited ? '; further calls are rejected' : ''}`}
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
          <p>Documents are being re-embedded with another model. They stay searchable.</p>
          <Progress value={reembedding} label="Documents re-embedded" />
        </Notice>
      )}
      <Figures>
        {cpu && (
          <Figure
            label="Processor"
            value={formatPercent(cpu.usagePercent)}
            hint={`of ${cpu.cores.toLocaleString()} cores`}
          />
        )}
        {memory && (
          <Figure
            label="Memory"
            value={formatPercent(memory.usagePercent)}
            hint={`${formatBytes(memory.usedBytes)} of ${formatBytes(memory.totalBytes)}`}
          />
        )}
        {distinctDisks(disks ?? []).map(({ path, usagePercent, freeBytes, label }) => (
          <Figure
            key={label}
            label={label}
            value={formatPercent(usagePercent)}
            hint={`${formatBytes(freeBytes)} free${path === null ? '' : ` at ${path}`}`}
          />
        ))}
        {process && (
          <Figure
            label="Event loop"
            value={formatMilliseconds(process.eventLoopDelayMs)}
            hint={`average delay; ${formatBytes(process.rssBytes)} in use`}
          />
        )}
        {database && (
          <Figure
            label="Vector database"
            value={database.latencyMs === null ? '–' : formatMilliseconds(database.latencyMs)}
            hint={
              database.documentCount === null
                ? 'response time'
                : `response time; ${database.documentCount.toLocaleString()} documents of all organizations`
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
    label: distinct.length > 1 ? `Disk ${index + 1}` : 'Disk',
  }));
}

type VaultFigures = VaultNowQuery['vault']['figures'];
type FigureKind = {
  key: Exclude<keyof VaultFigures[number], 'at'>;
  title: string;
  format: (value: number) => string;
  maximum?: number;
};

const periodMsMin = 120_000;

const figureKinds: readonly FigureKind[] = [
  { key: 'cpuPercent', title: 'Processor', format: formatPercent, maximum: 100 },
  { key: 'memoryPercent', title: 'Memory', format: formatPercent, maximum: 100 },
  { key: 'storagePercent', title: 'Fullest disk', format: formatPercent, maximum: 100 },
  { key: 'eventLoopDelayMs', title: 'Event loop delay', format: formatMilliseconds },
  { key: 'databaseLatencyMs', title: 'Vector database response time', format: formatMilliseconds },
  {
    key: 'documentCount',
    title: 'Documents of all organizations',
    format: (count) => Math.round(count).toLocaleString(),
  },
];

function FiguresOverTime({ figures, minutes }: { figures: VaultFigures; minutes: number }) {
  if (figures.length === 0)
    return (
      <EmptyState title="No figures yet">Figures are collected while the vault runs.</EmptyState>
    );
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
            title={title}
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
