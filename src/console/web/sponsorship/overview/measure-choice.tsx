import { Button } from '../../ui/button.tsx';
import type { Measure } from '../billing-status.tsx';

const measures: readonly { measure: Measure; label: string }[] = [
  { measure: 'redemptions', label: 'Count' },
  { measure: 'amountEur', label: 'Amount' },
];

type MeasureChoiceProps = { measure: Measure; onChoose: (measure: Measure) => void; of: string };

/** Whether a chart counts or sums. */
export function MeasureChoice({ measure: chosen, onChoose, of }: MeasureChoiceProps) {
  return (
    <fieldset className="sponsorship-choice">
      <legend className="sr-only">{of}: count or amount</legend>
      {measures.map(({ measure, label }) => (
        <Button
          key={measure}
          kind={measure === chosen ? 'plain' : 'quiet'}
          aria-pressed={measure === chosen}
          onClick={() => onChoose(measure)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
