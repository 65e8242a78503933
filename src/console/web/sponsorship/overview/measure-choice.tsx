import { Button } from '../../ui/button.tsx';
import type { BillingMeasure } from '../billing-status.tsx';

const measures: readonly { measure: BillingMeasure; label: string }[] = [
  { measure: 'redemptions', label: 'Count' },
  { measure: 'amountEur', label: 'Amount' },
];

type MeasureChoiceProps = {
  measure: BillingMeasure;
  onChoose: (measure: BillingMeasure) => void;
  chartTitle: string;
};

/** Chooses whether a chart shows counts or amounts. */
export function MeasureChoice({
  measure: selectedMeasure,
  onChoose,
  chartTitle,
}: MeasureChoiceProps) {
  return (
    <fieldset className="sponsorship-choice">
      <legend className="sr-only">{chartTitle}: count or amount</legend>
      {measures.map(({ measure, label }) => (
        <Button
          key={measure}
          kind={measure === selectedMeasure ? 'plain' : 'quiet'}
          aria-pressed={measure === selectedMeasure}
          onClick={() => onChoose(measure)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
