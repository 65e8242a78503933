import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Loaded } from '../../ui/status.tsx';
import { AssistantVersionDocument } from '../documents.ts';
import { Difference } from './difference-lazily.tsx';

const versionsMax = 100;

type CompareVersionsProps = { assistantId: string; number: number; current: number };

/** A button that shows what differs between a version and another one, at first the one before. */
export function CompareVersions(props: CompareVersionsProps) {
  const { number, current } = props;
  if (current === 1) return null;
  return (
    <DialogButton
      kind="quiet"
      label={t('versions.compare')}
      subject={t('versions.versionInside', { number })}
      title={t('versions.version', { number })}
      wide
    >
      {() => <Comparison {...props} />}
    </DialogButton>
  );
}

function Comparison({ assistantId, number, current }: CompareVersionsProps) {
  const oldest = Math.max(1, current - versionsMax + 1);
  const [other, setOther] = useState(number > oldest ? number - 1 : current);
  const options = Array.from({ length: current - oldest + 1 }, (_, index) => current - index)
    .filter((version) => version !== number)
    .map((version) => ({
      value: String(version),
      label:
        version === current
          ? t('versions.currentVersion', { version })
          : t('versions.version', { number: version }),
    }));
  const [older, newer] = [Math.min(number, other), Math.max(number, other)];
  const before = useGraphQuery(AssistantVersionDocument, { assistantId, number: older });
  const after = useGraphQuery(AssistantVersionDocument, { assistantId, number: newer });
  return (
    <>
      <SelectField
        label={t('versions.compareWith')}
        options={options}
        value={String(other)}
        onValue={(value) => setOther(Number(value))}
      />
      <p className="quiet">{t('versions.differenceHint', { older, newer })}</p>
      <Loaded answer={before} lines={4}>
        {({ assistantVersion: olderVersion }) => (
          <Loaded answer={after} lines={4}>
            {({ assistantVersion: newerVersion }) => (
              <Difference before={olderVersion} after={newerVersion} />
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
