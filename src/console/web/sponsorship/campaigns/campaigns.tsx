import { Link, useLocation } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField, SelectField } from '../../ui/fields.tsx';
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

const statuses: readonly { value: CampaignStatus; label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'INACTIVE', label: 'Paused' },
];
const newestFirst = {
  value: 'NEWEST',
  label: 'Newest first',
  orderBy: { field: 'CREATED_AT', direction: 'DESC' },
} as const;
const orders: readonly { value: string; label: string; orderBy: CampaignOrder }[] = [
  newestFirst,
  { value: 'NAME', label: 'By name', orderBy: { field: 'NAME', direction: 'ASC' } },
  {
    value: 'MOST_REDEEMED',
    label: 'Most redeemed',
    orderBy: { field: 'COMPLETED_REDEMPTIONS', direction: 'DESC' },
  },
  {
    value: 'FIRST_TO_EXPIRE',
    label: 'First to end',
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
  const isFiltered = search !== null || status !== 'ALL';
  const create = (
    <Button icon="plus" kind="primary" onClick={() => set('new', 'yes')}>
      New campaign
    </Button>
  );
  return (
    <>
      <PageHead title="Campaigns" lead="What you sponsor, and for whom." actions={create} />
      <SectionTabs />
      <search className="toolbar">
        <SearchField
          label="Search by name"
          value={search ?? ''}
          onSearch={(text) => set('search', text)}
        />
        <SelectField
          label="Status"
          options={statuses}
          value={status}
          onValue={(value) => set('status', value)}
        />
        <SelectField
          label="Order"
          options={orders}
          value={order.value}
          onValue={(value) => set('order', value)}
        />
      </search>
      <Card>
        <PagedTable
          caption="Campaigns"
          answer={partOf(answer, ({ campaigns }) => campaigns)}
          page={page}
          pageSize={20}
          onPage={setPage}
          lines={8}
          empty={
            isFiltered ? (
              <EmptyState title="No matching campaigns" />
            ) : (
              <EmptyState title="No campaigns yet" action={create} />
            )
          }
          columns={[
            {
              title: 'Name',
              cell: ({ id, name }) => <Link href={`/campaigns/${id}`}>{name}</Link>,
            },
            { title: 'State', cell: (campaign) => <CampaignState campaign={campaign} /> },
            { title: 'Redeemed', align: 'end', cell: formatRedemptions },
            {
              title: 'Months',
              align: 'end',
              narrow: 'hide',
              cell: ({ durationMonths }) => durationMonths,
            },
            {
              title: 'Ends',
              align: 'end',
              cell: ({ expiresAt }) => (expiresAt === null ? '–' : <UtcDate at={expiresAt} />),
            },
            {
              title: 'Created',
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
    ? completedRedemptionsCount.toLocaleString()
    : `${completedRedemptionsCount.toLocaleString()} of ${maxRedemptions.toLocaleString()}`;

const stateStyles = {
  live: { label: 'Live', tone: 'good' },
  exhausted: { label: 'Fully redeemed', tone: 'busy' },
  ended: { label: 'Ended', tone: 'plain' },
  paused: { label: 'Paused', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: StatusTone }>;

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
  return <Badge tone={tone}>{label}</Badge>;
}
