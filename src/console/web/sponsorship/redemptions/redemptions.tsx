import { PageHead } from '../../ui/page-head.tsx';
import { SectionTabs } from '../section-tabs.tsx';
import { ExportButton } from './export-button.tsx';
import { RedemptionFilters } from './redemption-filters.tsx';
import { RedemptionList } from './redemption-list.tsx';
import { useRedemptionFilter } from './use-redemption-filter.ts';

/** All redemptions of the organization, to search, bill, extend and export. */
export function Redemptions() {
  const { filter, values, page, set, setPage, isFiltered } = useRedemptionFilter();
  const key = JSON.stringify(filter);
  return (
    <>
      <PageHead
        title="Redemptions"
        lead="All workspaces that you sponsor or have sponsored."
        actions={<ExportButton key={key} filter={filter} />}
      />
      <SectionTabs />
      <RedemptionFilters values={values} set={set} />
      <RedemptionList
        key={key}
        filter={filter}
        page={page}
        onPage={setPage}
        isFiltered={isFiltered}
      />
    </>
  );
}
