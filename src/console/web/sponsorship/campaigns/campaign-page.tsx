import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { Day } from '../day.tsx';
import { CampaignDocument, type CampaignQuery } from '../documents.ts';
import { LinksCard } from '../links/links-card.tsx';
import { eur } from '../money.ts';
import { ByMonth } from '../overview/by-month.tsx';
import { ByStatus } from '../overview/by-status.tsx';
import { SeatsLine } from '../overview/seats-card.tsx';
import { CampaignState } from './campaign-state.tsx';
import { CapacityCard } from './capacity-card.tsx';
import { ChangeCampaign } from './change-campaign.tsx';
import { SwitchCampaign } from './switch-campaign.tsx';
import { TermsCard } from './terms-card.tsx';

const back = { href: '/campaigns', label: 'Campaigns' };

/** One campaign with everything that hangs on it. */
export function CampaignPage({ campaignId }: { campaignId: string }) {
  const answer = useGraphQuery(
    CampaignDocument,
    { campaignId },
    { typenames: ['Redemption', 'Reservation'] },
  );
  const campaign = answer.data?.campaign;
  return (
    <>
      <PageHead
        title={campaign?.name ?? 'Campaign'}
        back={back}
        lead={campaign && <CampaignState campaign={campaign} />}
        actions={
          campaign && (
            <>
              <ChangeCampaign campaign={campaign} />
              <SwitchCampaign campaign={campaign} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={10}>
        {({ campaign: found }) => (
          <>
            <CapacityCard campaign={found} />
            <div className="sponsorship-pair">
              <TermsCard campaign={found} />
              <ByStatus billing={found.billing} campaignId={campaignId} />
            </div>
            <LinksCard campaignId={campaignId} />
            <LatestRedemptions campaign={found} />
            <ByMonth title="Redeemed by month" campaignId={campaignId} />
            <Card title="Seats">
              <SeatsLine {...found.seats} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function LatestRedemptions({
  campaign: { id: campaignId, redemptions },
}: {
  campaign: CampaignQuery['campaign'];
}) {
  const all = redemptions.total > 0 && (
    <LinkButton href={`/redemptions?campaign=${encodeURIComponent(campaignId)}`} kind="quiet">
      See all {redemptions.total.toLocaleString()}
    </LinkButton>
  );
  return (
    <Card title="Latest redemptions" actions={all}>
      {redemptions.total === 0 ? (
        <EmptyState title="Nobody has redeemed this campaign yet">
          Hand out one of its links.
        </EmptyState>
      ) : (
        <Table
          caption="Latest redemptions"
          rows={redemptions.items}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Workspace',
              cell: ({ id, organizationName }) => (
                <Link href={`/redemptions/${id}`}>{organizationName}</Link>
              ),
            },
            { title: 'Redeemed by', narrow: 'hide', cell: ({ userEmail }) => userEmail },
            { title: 'Redeemed', align: 'end', cell: ({ redeemedAt }) => <Day at={redeemedAt} /> },
            {
              title: 'Ends',
              align: 'end',
              cell: ({ sponsoredUntil }) => <Day at={sponsoredUntil} />,
            },
            {
              title: 'Billing',
              cell: ({ billingStatus }) => <BillingBadge status={billingStatus} />,
            },
            {
              title: 'Amount',
              align: 'end',
              cell: ({ billingAmount }) => (billingAmount === null ? '–' : eur(billingAmount)),
            },
          ]}
        />
      )}
    </Card>
  );
}
