import { queryUncached } from '../../graph/client.ts';
import { type ReadRows, readPages } from '../../graph/read-pages.ts';
import { ExportRedemptionsDocument, type ExportRedemptionsQuery } from '../documents.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

export type ExportedRedemption = ExportRedemptionsQuery['redemptions']['nodes'][number];

/** Reads all redemptions that match a filter. */
export const readRedemptions = (
  filter: RedemptionFilter,
  { signal, onPage }: ReadRows<ExportedRedemption>,
) =>
  readPages({
    signal,
    fetchPage: (after) => queryUncached(ExportRedemptionsDocument, { ...filter, after }),
    onPage: ({ redemptions: { nodes, totalCount, pageInfo } }) =>
      onPage(nodes, totalCount) ? pageInfo : undefined,
  });
