import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SponsorshipSeatsDocument } from '../documents.ts';
import { Share } from '../share.tsx';

/** How many of the seats that were given away are sat on. */
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

type Seats = { sponsorships: number; given: number; used: number };

export function SeatsLine({ sponsorships, given, used }: Seats) {
  if (sponsorships === 0) return <p className="quiet">No sponsorship is running.</p>;
  const people = `${used.toLocaleString()} ${used === 1 ? 'person works' : 'people work'}`;
  return (
    <>
      <p>
        {people} in {sponsorships.toLocaleString()} running{' '}
        {sponsorships === 1 ? 'workspace' : 'workspaces'}
        {given > 0
          ? `, for which ${given.toLocaleString()} seats were given.`
          : '; their seats have no cap.'}
      </p>
      {given > 0 && <Share part={used} whole={given} />}
    </>
  );
}
