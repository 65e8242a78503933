import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { billingOptions } from '../billing-status.tsx';
import { CampaignNameDocument, CampaignNamesDocument } from '../documents.ts';
import { endOptions } from './use-redemption-filter.ts';

type RedemptionFiltersProps = {
  values: Readonly<Record<string, string | undefined>>;
  set: (name: string, value: string) => void;
};

export function RedemptionFilters({ values, set }: RedemptionFiltersProps) {
  const { search = '', campaign = '', link = '', status = '', ends = '' } = values;
  return (
    <search className="toolbar">
      <SearchField
        label="Workspace or e-mail"
        value={search}
        onSearch={(text) => set('search', text)}
      />
      <CampaignSelect campaignId={campaign} onSelect={(id) => set('campaign', id)} />
      <SelectField
        label="Billing"
        options={[{ value: '', label: 'Any status' }, ...billingOptions]}
        value={status}
        onChange={({ target }) => set('status', target.value)}
      />
      <SelectField
        label="Ends"
        options={endOptions}
        value={ends}
        onChange={({ target }) => set('ends', target.value)}
      />
      {link !== '' && (
        <Button onClick={() => set('link', '')}>
          <Icon name="close" /> One link only
        </Button>
      )}
    </search>
  );
}

/**
 * A list of campaigns by name. A selected campaign that is not on the first page is added, because
 * campaign pages link here.
 */
function CampaignSelect({
  campaignId,
  onSelect,
}: {
  campaignId: string;
  onSelect: (campaignId: string) => void;
}) {
  const { data } = useGraphQuery(CampaignNamesDocument, {}, { typenames: ['Campaign'] });
  const { items = [], total = 0 } = data?.campaigns ?? {};
  const isListed = campaignId === '' || items.some(({ id }) => id === campaignId);
  const { data: campaignName } = useGraphQuery(
    CampaignNameDocument,
    { campaignId },
    { pause: isListed || !data },
  );
  const unlisted = isListed
    ? []
    : [{ value: campaignId, label: campaignName?.campaign.name ?? '…' }];
  return (
    <SelectField
      label="Campaign"
      hint={
        total > items.length &&
        `Shows the first ${items.length} by name. Open other campaigns from their own pages.`
      }
      options={[
        { value: '', label: 'All' },
        ...unlisted,
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={campaignId}
      onChange={({ target }) => onSelect(target.value)}
    />
  );
}
