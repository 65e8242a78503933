import { t } from '../texts/text.ts';
import { Notice } from './status.tsx';

const shownMax = 3;

/** Says which lines of a list have no e-mail address that can be read. */
export function SkippedLines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Notice tone="busy">
      <p>{t('ui.skippedLines', { count: lines.length })}</p>
      <ul>
        {lines.slice(0, shownMax).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal lines are possible
          <li key={index}>{line}</li>
        ))}
        {lines.length > shownMax && <li>…</li>}
      </ul>
    </Notice>
  );
}
