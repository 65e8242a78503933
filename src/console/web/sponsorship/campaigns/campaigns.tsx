import { Link, useLocation } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Table } from '../../ui/table.tsx';
import { type CampaignOrder, type CampaignStatus, CampaignsDocument } from '../documents.ts';
import { PastLastPage } from '../past-last-page.tsx';
import { SectionTabs } from '../section-tabs.tsx';
import { useFilter } from '../use-filter.ts';
import { UtcDate } from '../utc-date.tsx';
import { CampaignState } from './campaign-state.tsx';
import { CreateCampaign } from './create-campaign.tsx';

const statuses: readonly { value: CampaignStatus; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Paused' },
];
const orders: readonly { value: CampaignOrder; label: string }[] = [
  { value: 'NEWEST', label: 'Newest first' },
  { value: 'NAME', label: 'By name' },
  { value: 'MOST_REDEEMED', label: 'Most redeemed' },
  { value: 'FIRST_TO_EXPIRE', label: 'First to end' },
];

export function Campaigns() {
  const [, go] = useLocation();
  const { filter, set, page, setPage } = useFilter(['search', 'status', 'order', 'new']);
  const status = statuses.find(({ value }) => value === filter['status'])?.value ?? 'all';
  const order = orders.find(({ value }) => value === filter['order'])?.value ?? 'NEWEST';
  const search = filter['search'] ?? null;
  const answer = useGraphQuery(
    CampaignsDocument,
    { page, status, order, search },
    { typenames: ['Campaign', 'Redemption'] },
  );
  const create = (
    <Button kind="primary" onClick={() => set('new', 'yes')}>
      <Icon name="plus" /> New campaign
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
          onChange={({ target }) => set('status', target.value)}
        />
        <SelectField
          label="Order"
          options={orders}
          value={order}
          onChange={({ target }) => set('order', target.value)}
        />
      </search>
      <Loaded answer={answer} lines={8}>
        {({ campaigns: { items, total } }) =>
          total === 0 ? (
            search !== null || status !== 'all' ? (
              <EmptyState title="No matching campaigns" />
            ) : (
              <EmptyState title="No campaigns yet" action={create} />
            )
          ) : items.length === 0 ? (
            <PastLastPage onPage={setPage} />
          ) : (
            <Card>
              <Table
                caption="Campaigns"
                rows={items}
                keyOf={({ id }) => id}
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
                    cell: ({ expiresAt }) =>
                      expiresAt === null ? '–' : <UtcDate at={expiresAt} />,
                  },
                  {
                    title: 'Created',
                    align: 'end',
                    narrow: 'hide',
                    cell: ({ createdAt }) => <UtcDate at={createdAt} />,
                  },
                ]}
              />
              <Pager page={page} pageSize={20} total={total} onPage={setPage} />
            </Card>
          )
        }
      </Loaded>
      <Dialog
        title="New campaign"
        open={filter['new'] !== undefined}
        onClose={() => set('new', '')}
        wide
      >
        <CreateCampaign
          onDone={(id) => (id === undefined ? set('new', '') : go(`/campaigns/${id}`))}
        />
      </Dialog>
    </>
  );
}

const formatRedemptions = ({
  completedRedemptionsCount,
  maxRedemptions,
}: {
  completedRedemptionsCount: number;
  maxRedemptions: number | null;
}) =>
  maxRedemptions === null
    ? completedRedemptionsCount.toLocaleString()
    : `${completedRedemptionsCount.toLocaleString()} of ${maxRedemptions.toLocaleString()}`;
