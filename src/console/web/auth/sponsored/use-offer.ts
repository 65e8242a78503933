import { useEffect, useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
import { useAnswer } from '../../graph/use-answer.ts';
import { type OfferFragment, SponsoredOfferDocument } from './documents.ts';

type ToldOffer = {
  offer: OfferFragment | undefined;
  fault: Fault | undefined;
  loading: boolean;
  again: () => void;
};

/**
 * What a link leads to. A refusal stays while it is asked again, so that its page does not come and
 * go.
 */
export function useOffer(token: string): ToldOffer {
  const { data, fault, loading, again } = useAnswer(SponsoredOfferDocument, { token });
  const [last, setLast] = useState<Fault>();
  useEffect(() => {
    if (!loading) setLast((known) => (isSame(known, fault) ? known : fault));
  }, [loading, fault]);
  return { offer: data?.sponsoredOffer, fault: loading ? last : fault, loading, again };
}

const isSame = (one: Fault | undefined, other: Fault | undefined) =>
  one?.code === other?.code && one?.reason === other?.reason;
