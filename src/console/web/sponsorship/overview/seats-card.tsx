import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SponsorshipSeatsDocument } from '../documents.ts';
import { ShareBar } from '../share-bar.tsx';

/** How many of the sponsored seats are used. */
export function SeatsCard() {
  const answer = useGraphQuery(SponsorshipSeatsDocument, {}, { typenames: ['Redemption'] });
  return (
    <Card title="Seats">
      <Loaded answer={answer} lines={2}>
        {({ sponsorshipSummary: { seats } }) => <SeatsLine {...seats} />}
      </Loaded>
    </Card>
  );
}

type SeatUsage = { sponsorships: number; given: number; used: number };

export function SeatsLine({ sponsorships, given, used }: SeatUsage) {
  if (sponsorships === 0) return <p className="quiet">No sponsorship is running.</p>;
  const people = `${used.toLocaleString()} ${used === 1 ? 'member' : 'members'}`;
  return (
    <>
      <p>
        {people} in {sponsorships.toLocaleString()} running{' '}
        {sponsorships === 1 ? 'workspace' : 'workspaces'}
        {given > 0 ? `, which have ${given.toLocaleString()} seats.` : ', without a seat limit.'}
      </p>
      {given > 0 && <ShareBar part={used} total={given} />}
    </>
  );
}
