import { diffWordsWithSpace } from 'diff';
import { type AssistantSettings, type ChangedSetting, changedSettings } from './setting-texts.ts';
import './versions.css';
import { t } from '../../texts/text.ts';

// Two long texts without a word in common take seconds to compare. They are shown one after the
// other then.
const comparisonMsMax = 500;

type DifferenceProps = { before: AssistantSettings; after: AssistantSettings };

/** What differs between two versions: the words that were removed and those that were added. */
export function Difference({ before, after }: DifferenceProps) {
  const settings = changedSettings(before, after);
  if (settings.length === 0) return <p>{t('versions.noDifference')}</p>;
  return (
    <dl className="versions-difference">
      {settings.map((setting) => (
        <div key={setting.label}>
          <dt>{setting.label}</dt>
          <dd>
            <ChangedText {...setting} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ChangedText({ before, after }: ChangedSetting) {
  const parts = diffWordsWithSpace(before, after, { timeout: comparisonMsMax }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts
    .filter(({ value }) => value !== '')
    .map(({ value, added, removed }, index) => {
      const Element = added ? 'ins' : removed ? 'del' : 'span';
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      return <Element key={index}>{value}</Element>;
    });
}
