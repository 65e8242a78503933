import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { billingOptions } from '../billing-status.tsx';
import { CampaignNameDocument, CampaignNamesDocument } from '../documents.ts';
import { endOptions } from './use-redemption-filter.ts';

type RedemptionFiltersProps = {
  asked: Readonly<Record<string, string | undefined>>;
  set: (name: string, value: string) => void;
};

export function RedemptionFilters({ asked, set }: RedemptionFiltersProps) {
  const { search = '', campaign = '', link = '', status = '', ends = '' } = asked;
  return (
    <search className="toolbar">
      <SearchField
        label="Workspace or e-mail"
        value={search}
        onSearch={(text) => set('search', text)}
      />
      <CampaignChoice chosen={campaign} onChoose={(id) => set('campaign', id)} />
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
          <Icon name="close" /> By one link only
        </Button>
      )}
    </search>
  );
}

/**
 * The campaigns by name. Of more than a page of them the chosen one is there as well: one comes
 * here from its page.
 */
function CampaignChoice({
  chosen,
  onChoose,
}: {
  chosen: string;
  onChoose: (campaignId: string) => void;
}) {
  const { data } = useGraphQuery(CampaignNamesDocument, {}, { typenames: ['Campaign'] });
  const { items = [], total = 0 } = data?.campaigns ?? {};
  const isListed = chosen === '' || items.some(({ id }) => id === chosen);
  const { data: named } = useGraphQuery(
    CampaignNameDocument,
    { campaignId: chosen },
    { pause: isListed || !data },
  );
  const others = isListed ? [] : [{ value: chosen, label: named?.campaign.name ?? '…' }];
  return (
    <SelectField
      label="Campaign"
      hint={
        total > items.length && `The first ${items.length} by name; others from their own pages.`
      }
      options={[
        { value: '', label: 'All' },
        ...others,
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    />
  );
}
