import { useState } from 'react';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { t, withTexts } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { SearchField, SelectField } from '../../ui/fields.tsx';
import { ListFilters } from '../../ui/list-filters.tsx';
import { PageHead } from '../../ui/page.tsx';
import { billingOptions } from '../billing-status.tsx';
import { CampaignNameDocument, CampaignNamesDocument, RedemptionsDocument } from '../documents.ts';
import { SectionTabs } from '../section-tabs.tsx';
import { ExportButton } from './export-button.tsx';
import { RedemptionList } from './redemption-list.tsx';
import { endOptions, useRedemptionFilter } from './use-redemption-filter.ts';

/** All redemptions of the organization, to search, bill, extend and export. */
export function Redemptions() {
  const { filter, values, page, set, setPage, isFiltered } = useRedemptionFilter();
  const key = JSON.stringify(filter);
  const answer = partOf(
    useGraphQuery(
      RedemptionsDocument,
      { ...filter, page },
      { typenames: ['Redemption'], live: true },
    ),
    ({ redemptions }) => redemptions,
  );
  return (
    <>
      <PageHead
        title={t('redemptions.redemptions')}
        lead={t('redemptions.redemptionsLead')}
        actions={<ExportButton key={key} filter={filter} />}
      />
      <SectionTabs />
      <ListFilters answer={answer} isFiltered={isFiltered}>
        <RedemptionFilters values={values} set={set} />
      </ListFilters>
      <RedemptionList
        key={key}
        answer={answer}
        filter={filter}
        page={page}
        onPage={setPage}
        isFiltered={isFiltered}
      />
    </>
  );
}

type RedemptionFiltersProps = {
  values: Readonly<Record<string, string | undefined>>;
  set: (name: string, value: string) => void;
};

function RedemptionFilters({ values, set }: RedemptionFiltersProps) {
  const { search = '', campaign = '', link = '', status = '', ends = '' } = values;
  return (
    <>
      <SearchField
        label={t('redemptions.searchLabel')}
        value={search}
        onSearch={(text) => set('search', text)}
      />
      <CampaignSelect campaignId={campaign} onSelect={(id) => set('campaign', id)} />
      <SelectField
        label={t('sponsorship.billing')}
        options={[{ value: '', label: t('redemptions.anyStatus') }, ...billingOptions()]}
        value={status}
        onValue={(value) => set('status', value)}
      />
      <SelectField
        label={t('sponsorship.ends')}
        options={withTexts(endOptions)}
        value={ends}
        onValue={(value) => set('ends', value)}
      />
      {link !== '' && (
        <Button icon="close" onClick={() => set('link', '')}>
          {t('redemptions.oneLinkOnly')}
        </Button>
      )}
    </>
  );
}

/** A choice of campaigns by name. Typing finds those that are not among the first. */
function CampaignSelect({
  campaignId,
  onSelect,
}: {
  campaignId: string;
  onSelect: (campaignId: string) => void;
}) {
  const [search, setSearch] = useState('');
  const { data } = useGraphQuery(
    CampaignNamesDocument,
    { search: search || null },
    { typenames: ['Campaign'] },
  );
  const nodes = data?.campaigns.nodes ?? [];
  const isListed = campaignId === '' || nodes.some(({ id }) => id === campaignId);
  const { data: campaignName } = useGraphQuery(
    CampaignNameDocument,
    { campaignId },
    { pause: isListed || !data },
  );
  const unlisted = isListed
    ? []
    : [{ value: campaignId, label: campaignName?.campaign.name ?? '…' }];
  return (
    <Combobox
      label={t('sponsorship.campaign')}
      options={[
        { value: '', label: t('redemptions.all') },
        ...unlisted,
        ...nodes.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={campaignId}
      onValue={onSelect}
      onSearch={setSearch}
    />
  );
}
