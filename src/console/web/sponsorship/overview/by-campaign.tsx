import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/charts/chart.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { billingSeries, chartValues } from '../billing-status.tsx';
import { TopCampaignsDocument } from '../documents.ts';

/** The campaigns with the most redemptions. */
export function ByCampaign() {
  const answer = useGraphQuery(TopCampaignsDocument, {}, { typenames: ['Campaign', 'Redemption'] });
  return (
    <Card
      title="Most redeemed campaigns"
      actions={
        <LinkButton href="/campaigns?order=MOST_REDEEMED" kind="quiet">
          Show all
        </LinkButton>
      }
    >
      <Loaded answer={answer} lines={8}>
        {({ campaigns: { items } }) => (
          <Chart
            title="Redemptions of the most redeemed campaigns, by billing status"
            pointTitle="Campaign"
            direction="across"
            isCount
            series={billingSeries}
            points={items.map(({ id, name, billing }) => ({
              key: id,
              label: name,
              values: chartValues(billing, 'redemptions'),
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}
