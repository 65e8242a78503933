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
const spans = [
  { value: '60', label: 'The last hour' },
  { value: '360', label: 'The last 6 hours' },
  { value: '1440', label: 'The last day' },
];

export function StatePage() {
  const [minutes, setMinutes] = useState(60);
  const answer = useGraphQuery(VaultNowDocument, { minutes }, { refreshMs });
  const span = (
    <SelectField
      label="Shown"
      options={spans}
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
            <Watched vault={vault} minutes={minutes} span={span} />
          )}
        </>
      )}
    </Loaded>
  );
}

type WatchedProps = { vault: VaultNowQuery['vault']; minutes: number; span: ReactNode };

function Watched({ vault, minutes, span }: WatchedProps) {
  if (vault.system === null && vault.figures.length === 0) {
    return (
      <Notice>
        It takes no figures of itself: its monitoring is switched off in its settings.
      </Notice>
    );
  }
  return (
    <>
      <FiguresNow vault={vault} />
      <Card title="Over time" actions={span}>
        <FiguresOverTime figures={vault.figures} minutes={minutes} />
      </Card>
    </>
  );
}
