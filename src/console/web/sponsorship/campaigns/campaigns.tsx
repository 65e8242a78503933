import { Link, useLocation } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { formatNumber } from '../../texts/format.ts';
import { t, withTexts } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField, SelectField } from '../../ui/fields.tsx';
import { ListFilters } from '../../ui/list-filters.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState, type StatusTone } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import {
  type CampaignOrder,
  type CampaignStatus,
  type CampaignSummaryFragment,
  CampaignsDocument,
} from '../documents.ts';
import { UtcDate } from '../format.tsx';
import { SectionTabs } from '../section-tabs.tsx';
import { CreateCampaign } from './campaign-form.tsx';

const statuses: readonly { value: CampaignStatus; label: PlainKey }[] = [
  { value: 'ALL', label: 'campaigns.all' },
  { value: 'ACTIVE', label: 'campaigns.active' },
  { value: 'INACTIVE', label: 'campaigns.paused' },
];
const newestFirst = {
  value: 'NEWEST',
  label: 'campaigns.newestFirst',
  orderBy: { field: 'CREATED_AT', direction: 'DESC' },
} as const;
const orders: readonly { value: string; label: PlainKey; orderBy: CampaignOrder }[] = [
  newestFirst,
  { value: 'NAME', label: 'campaigns.byName', orderBy: { field: 'NAME', direction: 'ASC' } },
  {
    value: 'MOST_REDEEMED',
    label: 'campaigns.mostRedeemed',
    orderBy: { field: 'COMPLETED_REDEMPTIONS', direction: 'DESC' },
  },
  {
    value: 'FIRST_TO_EXPIRE',
    label: 'campaigns.firstToEnd',
    orderBy: { field: 'EXPIRES_AT', direction: 'ASC' },
  },
];

export function Campaigns() {
  const [, go] = useLocation();
  const { filter, set, page, setPage } = useFilter(['search', 'status', 'order', 'new']);
  const status = statuses.find(({ value }) => value === filter['status'])?.value ?? 'ALL';
  const order = orders.find(({ value }) => value === filter['order']) ?? newestFirst;
  const search = filter['search'] ?? null;
  const answer = useGraphQuery(
    CampaignsDocument,
    { page, status, orderBy: order.orderBy, search },
    { typenames: ['Campaign', 'Redemption'] },
  );
  const listed = partOf(answer, ({ campaigns }) => campaigns);
  const isFiltered = search !== null || status !== 'ALL';
  const create = (
    <Button icon="plus" kind="primary" onClick={() => set('new', 'yes')}>
      {t('campaigns.newCampaign')}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t('campaigns.campaigns')}
        lead={t('campaigns.campaignsLead')}
        actions={create}
      />
      <SectionTabs />
      <ListFilters answer={listed} isFiltered={isFiltered}>
        <SearchField
          label={t('campaigns.searchByName')}
          value={search ?? ''}
          onSearch={(text) => set('search', text)}
        />
        <SelectField
          label={t('campaigns.status')}
          options={withTexts(statuses)}
          value={status}
          onValue={(value) => set('status', value)}
        />
        <SelectField
          label={t('campaigns.order')}
          options={withTexts(orders)}
          value={order.value}
          onValue={(value) => set('order', value)}
        />
      </ListFilters>
      <Card>
        <PagedTable
          caption={t('campaigns.campaigns')}
          answer={listed}
          page={page}
          pageSize={20}
          onPage={setPage}
          lines={8}
          empty={
            isFiltered ? (
              <EmptyState title={t('campaigns.noMatching')} />
            ) : (
              <EmptyState title={t('campaigns.noCampaigns')} action={create} />
            )
          }
          columns={[
            {
              title: t('campaigns.name'),
              cell: ({ id, name }) => <Link href={`/campaigns/${id}`}>{name}</Link>,
            },
            {
              title: t('campaigns.state'),
              cell: (campaign) => <CampaignState campaign={campaign} />,
            },
            { title: t('campaigns.redeemed'), align: 'end', cell: formatRedemptions },
            {
              title: t('campaigns.months'),
              align: 'end',
              narrow: 'hide',
              cell: ({ durationMonths }) => durationMonths,
            },
            {
              title: t('campaigns.ends'),
              align: 'end',
              cell: ({ expiresAt }) => (expiresAt === null ? '–' : <UtcDate at={expiresAt} />),
            },
            {
              title: t('campaigns.createdAt'),
              align: 'end',
              narrow: 'hide',
              cell: ({ createdAt }) => <UtcDate at={createdAt} />,
            },
          ]}
        />
      </Card>
      <CreateCampaign
        open={filter['new'] !== undefined}
        onDone={(id) => (id === undefined ? set('new', '') : go(`/campaigns/${id}`))}
      />
    </>
  );
}

const formatRedemptions = ({
  completedRedemptionsCount,
  maxRedemptions,
}: CampaignSummaryFragment) =>
  maxRedemptions === null
    ? formatNumber(completedRedemptionsCount)
    : t('campaigns.redeemedOf', { completedRedemptionsCount, maxRedemptions });

const stateStyles = {
  live: { label: 'campaigns.live', tone: 'good' },
  exhausted: { label: 'campaigns.exhausted', tone: 'busy' },
  ended: { label: 'campaigns.ended', tone: 'plain' },
  paused: { label: 'campaigns.paused', tone: 'bad' },
} as const satisfies Record<string, { label: PlainKey; tone: StatusTone }>;

/** The state of a campaign. The conditions have the same order as in the summary of the API. */
function stateOf(campaign: CampaignSummaryFragment): keyof typeof stateStyles {
  const { isActive, expiresAt, maxRedemptions } = campaign;
  const used = campaign.completedRedemptionsCount + campaign.reservedRedemptionsCount;
  if (!isActive) return 'paused';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'ended';
  return maxRedemptions !== null && used >= maxRedemptions ? 'exhausted' : 'live';
}

export function CampaignState({ campaign }: { campaign: CampaignSummaryFragment }) {
  const { label, tone } = stateStyles[stateOf(campaign)];
  return <Badge tone={tone}>{t(label)}</Badge>;
}
