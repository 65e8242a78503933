import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/charts/chart.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type BillingMeasure, billingSeries, chartValues } from '../billing-status.tsx';
import { RedemptionMonthsDocument } from '../documents.ts';
import { formatWholeEuro } from '../money.ts';
import { formatUtcMonth } from '../utc-date.tsx';
import { MeasureChoice } from './measure-choice.tsx';

type ByMonthProps = { title: string; campaignId?: string };

/** The redemptions of each of the last twelve months, by their current billing status. */
export function ByMonth({ title, campaignId }: ByMonthProps) {
  const [measure, setMeasure] = useState<BillingMeasure>('redemptions');
  const answer = useGraphQuery(
    RedemptionMonthsDocument,
    { months: 12, campaignId: campaignId ?? null },
    { typenames: ['Redemption'] },
  );
  return (
    <Card
      title={title}
      actions={<MeasureChoice measure={measure} onChoose={setMeasure} chartTitle={title} />}
    >
      <Loaded answer={answer} lines={8}>
        {({ redemptionMonths }) => (
          <Chart
            title={`${title}, by billing status`}
            pointTitle="Month (UTC)"
            series={billingSeries}
            points={redemptionMonths.map(({ month, byBillingStatus }) => ({
              key: month,
              label: formatUtcMonth(month),
              values: chartValues(byBillingStatus, measure),
            }))}
            {...(measure === 'amountEur' ? { format: formatWholeEuro } : { isCount: true })}
          />
        )}
      </Loaded>
    </Card>
  );
}
