import { useMemo } from 'react';
import { useFilter } from '../../ui/use-filter.ts';
import { parseBillingStatus } from '../billing-status.tsx';
import type { RedemptionOrder, RedemptionsQueryVariables } from '../documents.ts';

export type RedemptionFilter = Omit<RedemptionsQueryVariables, 'page'>;

const dayMs = 86_400_000;

/** The filters by end date. Sponsorships that end soon are sorted by their end. */
export const endOptions = [
  { value: '', label: 'redemptions.anyTime' },
  { value: '30', label: 'redemptions.within30' },
  { value: '60', label: 'redemptions.within60' },
  { value: '90', label: 'redemptions.within90' },
  { value: 'ended', label: 'redemptions.hasEnded' },
] as const;

function endFilter(ends: string | undefined): {
  endsFrom: string | null;
  endsBefore: string | null;
  orderBy: RedemptionOrder | null;
} {
  const now = new Date().toISOString();
  if (ends === 'ended') return { endsFrom: null, endsBefore: now, orderBy: null };
  if (!ends || !endOptions.some(({ value }) => value === ends))
    return { endsFrom: null, endsBefore: null, orderBy: null };
  return {
    endsFrom: now,
    endsBefore: new Date(Date.now() + Number(ends) * dayMs).toISOString(),
    orderBy: { field: 'SPONSORED_UNTIL', direction: 'ASC' },
  };
}

/** The filters of the redemption list, from the page's address. */
export function useRedemptionFilter() {
  const {
    filter: values,
    page,
    set,
    setPage,
  } = useFilter(['search', 'campaign', 'link', 'status', 'ends']);
  const { search, campaign, link, status, ends } = values;
  // The filter contains the current time. Memoized, because a new time on every render would be a
  // new query each time.
  const filter = useMemo<RedemptionFilter>(
    () => ({
      search: search ?? null,
      campaignId: campaign ?? null,
      linkId: link ?? null,
      billingStatus: parseBillingStatus(status) ?? null,
      ...endFilter(ends),
    }),
    [search, campaign, link, status, ends],
  );
  return {
    filter,
    values,
    page,
    set,
    setPage,
    isFiltered: Boolean(search || campaign || link || status || ends),
  };
}
