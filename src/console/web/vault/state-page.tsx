import { type ReactNode, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { VaultNowDocument, type VaultNowQuery } from './documents.ts';
import { FiguresNow } from './figures-now.tsx';
import { FiguresOverTime } from './figures-over-time.tsx';
import { StateNote } from './state-note.tsx';

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
      onChange={({ target }) => setMinutes(Number(target.value))}
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
