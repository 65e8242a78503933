import { useEffect, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { type OfferFragment, SponsoredOfferDocument } from './documents.ts';

type OfferState = {
  offer: OfferFragment | undefined;
  fault: ApiFault | undefined;
  loading: boolean;
  refetch: () => void;
};

/**
 * Fetches the offer of a link. An error stays visible while the offer is fetched again, so that its
 * page does not flicker.
 */
export function useOffer(token: string): OfferState {
  const { data, fault, loading, refetch } = useGraphQuery(SponsoredOfferDocument, { token });
  const [lastFault, setLastFault] = useState<ApiFault>();
  useEffect(() => {
    if (!loading) setLastFault((current) => (isSame(current, fault) ? current : fault));
  }, [loading, fault]);
  return { offer: data?.sponsoredOffer, fault: loading ? lastFault : fault, loading, refetch };
}

const isSame = (left: ApiFault | undefined, right: ApiFault | undefined) =>
  left?.code === right?.code && left?.reason === right?.reason;
