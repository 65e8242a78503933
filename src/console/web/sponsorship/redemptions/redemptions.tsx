import { PageHead } from '../../ui/page-head.tsx';
import { SectionTabs } from '../section-tabs.tsx';
import { ExportButton } from './export-button.tsx';
import { RedemptionFilters } from './redemption-filters.tsx';
import { RedemptionList } from './redemption-list.tsx';
import { useRedemptionFilter } from './use-redemption-filter.ts';

/**
 * Every workspace that is sponsored or was, to be looked up, billed, extended and taken home as a
 * file.
 */
export function Redemptions() {
  const { filter, asked, page, set, setPage, isNarrowed } = useRedemptionFilter();
  const key = JSON.stringify(filter);
  return (
    <>
      <PageHead
        title="Redemptions"
        lead="Every workspace that you sponsor or sponsored."
        actions={<ExportButton key={key} filter={filter} />}
      />
      <SectionTabs />
      <RedemptionFilters asked={asked} set={set} />
      <RedemptionList
        key={key}
        filter={filter}
        page={page}
        onPage={setPage}
        isNarrowed={isNarrowed}
      />
    </>
  );
}
