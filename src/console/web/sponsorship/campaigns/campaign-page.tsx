import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { CampaignDocument, type CampaignQuery } from '../documents.ts';
import { LinksCard } from '../links/links-card.tsx';
import { ByMonth, ByStatus, SeatsLine } from '../overview/billing-charts.tsx';
import { redemptionColumns } from '../redemption-columns.tsx';
import { DuplicateCampaign, EditCampaign, PauseCampaign } from './campaign-form.tsx';
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
        title={loaded?.name ?? t('campaigns.campaign')}
        back={{ href: '/campaigns', label: t('campaigns.campaigns') }}
        lead={loaded && <CampaignState campaign={loaded} />}
        actions={
          loaded && (
            <>
              <EditCampaign campaign={loaded} />
              <DuplicateCampaign campaign={loaded} />
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
            <LinksCard campaignId={campaignId} figures={campaign.linkFigures} />
            <LatestRedemptions campaign={campaign} />
            <ByMonth title={t('sponsorship.redemptionsByMonth')} campaignId={campaignId} />
            <Card title={t('sponsorship.seats')}>
              <SeatsLine {...campaign.seats} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function LatestRedemptions({
  campaign: {
    id,
    redemptions: { nodes, totalCount },
  },
}: CampaignQuery) {
  const { workspace, redeemedBy, redeemed, ends, billing, amount } = redemptionColumns();
  return (
    <Card
      title={t('campaigns.latestRedemptions')}
      actions={
        totalCount > 0 && (
          <LinkButton href={`/redemptions?campaign=${encodeURIComponent(id)}`} kind="quiet">
            {t('campaigns.showAllCount', { totalCount })}
          </LinkButton>
        )
      }
    >
      {totalCount === 0 ? (
        <EmptyState title={t('sponsorship.noRedemptions')}>
          {t('campaigns.shareOneLink')}
        </EmptyState>
      ) : (
        <Table
          caption={t('campaigns.latestRedemptions')}
          rows={nodes}
          columns={[workspace, { ...redeemedBy, narrow: 'hide' }, redeemed, ends, billing, amount]}
        />
      )}
    </Card>
  );
}
