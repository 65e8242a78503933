import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/charts/chart.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { billingSeries, type Measure, valuesOf } from '../billing-status.tsx';
import { monthOf } from '../day.tsx';
import { RedemptionMonthsDocument } from '../documents.ts';
import { wholeEur } from '../money.ts';
import { MeasureChoice } from './measure-choice.tsx';

type ByMonthProps = { title: string; campaignId?: string };

/** What was redeemed in each of the last twelve months, and how it stands now. */
export function ByMonth({ title, campaignId }: ByMonthProps) {
  const [measure, setMeasure] = useState<Measure>('redemptions');
  const answer = useGraphQuery(
    RedemptionMonthsDocument,
    { months: 12, campaignId: campaignId ?? null },
    { typenames: ['Redemption'] },
  );
  return (
    <Card
      title={title}
      actions={<MeasureChoice measure={measure} onChoose={setMeasure} of={title} />}
    >
      <Loaded answer={answer} lines={8}>
        {({ redemptionMonths }) => (
          <Chart
            title={`${title}, by billing status`}
            pointTitle="Month (UTC)"
            series={billingSeries}
            points={redemptionMonths.map(({ month, byBillingStatus }) => ({
              key: month,
              label: monthOf(month),
              values: valuesOf(byBillingStatus, measure),
            }))}
            {...(measure === 'amountEur' ? { format: wholeEur } : { isCount: true })}
          />
        )}
      </Loaded>
    </Card>
  );
}
