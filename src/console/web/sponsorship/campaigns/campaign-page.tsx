import { useGraphQuery } from '../../graph/use-graph.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { CampaignDocument, type CampaignQuery } from '../documents.ts';
import { LinksCard } from '../links/links-card.tsx';
import { ByMonth, ByStatus, SeatsLine } from '../overview/billing-charts.tsx';
import { redemptionColumns } from '../redemption-columns.tsx';
import { EditCampaign, PauseCampaign } from './campaign-form.tsx';
import { CampaignState } from './campaigns.tsx';
import { CapacityCard } from './capacity-card.tsx';
import { TermsCard } from './terms-card.tsx';

/** One campaign with its capacity, terms, links, redemptions and billing. */
export function CampaignPage({ campaignId }: { campaignId: string }) {
  const answer = useGraphQuery(
    CampaignDocument,
    { campaignId },
    { typenames: ['Redemption', 'Reservation'] },
  );
  const loaded = answer.data?.campaign;
  return (
    <>
      <PageHead
        title={loaded?.name ?? 'Campaign'}
        back={{ href: '/campaigns', label: 'Campaigns' }}
        lead={loaded && <CampaignState campaign={loaded} />}
        actions={
          loaded && (
            <>
              <EditCampaign campaign={loaded} />
              <PauseCampaign campaign={loaded} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={10}>
        {({ campaign }) => (
          <>
            <CapacityCard campaign={campaign} />
            <div className="sponsorship-pair">
              <TermsCard campaign={campaign} />
              <ByStatus billing={campaign.billing} campaignId={campaignId} />
            </div>
            <LinksCard campaignId={campaignId} />
            <LatestRedemptions campaign={campaign} />
            <ByMonth title="Redemptions by month" campaignId={campaignId} />
            <Card title="Seats">
              <SeatsLine {...campaign.seats} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

const { workspace, redeemedBy, redeemed, ends, billing, amount } = redemptionColumns;

const LatestRedemptions = ({
  campaign: {
    id,
    redemptions: { nodes, totalCount },
  },
}: CampaignQuery) => (
  <Card
    title="Latest redemptions"
    actions={
      totalCount > 0 && (
        <LinkButton href={`/redemptions?campaign=${encodeURIComponent(id)}`} kind="quiet">
          Show all {totalCount.toLocaleString()}
        </LinkButton>
      )
    }
  >
    {totalCount === 0 ? (
      <EmptyState title="No redemptions yet">Share one of its links.</EmptyState>
    ) : (
      <Table
        caption="Latest redemptions"
        rows={nodes}
        columns={[workspace, { ...redeemedBy, narrow: 'hide' }, redeemed, ends, billing, amount]}
      />
    )}
  </Card>
);
