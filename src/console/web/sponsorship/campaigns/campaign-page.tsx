import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Table } from '../../ui/table.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { CampaignDocument, type CampaignQuery } from '../documents.ts';
import { LinksCard } from '../links/links-card.tsx';
import { formatEuro } from '../money.ts';
import { ByMonth } from '../overview/by-month.tsx';
import { ByStatus } from '../overview/by-status.tsx';
import { SeatsLine } from '../overview/seats-card.tsx';
import { UtcDate } from '../utc-date.tsx';
import { CampaignState } from './campaign-state.tsx';
import { CapacityCard } from './capacity-card.tsx';
import { EditCampaign } from './edit-campaign.tsx';
import { PauseCampaign } from './pause-campaign.tsx';
import { TermsCard } from './terms-card.tsx';

const back = { href: '/campaigns', label: 'Campaigns' };

/** One campaign with its capacity, terms, links, redemptions and billing. */
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
              <EditCampaign campaign={campaign} />
              <PauseCampaign campaign={campaign} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={10}>
        {({ campaign: loadedCampaign }) => (
          <>
            <CapacityCard campaign={loadedCampaign} />
            <div className="sponsorship-pair">
              <TermsCard campaign={loadedCampaign} />
              <ByStatus billing={loadedCampaign.billing} campaignId={campaignId} />
            </div>
            <LinksCard campaignId={campaignId} />
            <LatestRedemptions campaign={loadedCampaign} />
            <ByMonth title="Redemptions by month" campaignId={campaignId} />
            <Card title="Seats">
              <SeatsLine {...loadedCampaign.seats} />
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
  const showAllLink = redemptions.total > 0 && (
    <LinkButton href={`/redemptions?campaign=${encodeURIComponent(campaignId)}`} kind="quiet">
      Show all {redemptions.total.toLocaleString()}
    </LinkButton>
  );
  return (
    <Card title="Latest redemptions" actions={showAllLink}>
      {redemptions.total === 0 ? (
        <EmptyState title="No redemptions yet">Share one of its links.</EmptyState>
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
            {
              title: 'Redeemed',
              align: 'end',
              cell: ({ redeemedAt }) => <UtcDate at={redeemedAt} />,
            },
            {
              title: 'Ends',
              align: 'end',
              cell: ({ sponsoredUntil }) => <UtcDate at={sponsoredUntil} />,
            },
            {
              title: 'Billing',
              cell: ({ billingStatus }) => <BillingBadge status={billingStatus} />,
            },
            {
              title: 'Amount',
              align: 'end',
              cell: ({ billingAmount }) =>
                billingAmount === null ? '–' : formatEuro(billingAmount),
            },
          ]}
        />
      )}
    </Card>
  );
}
