import { useEffect, useState } from 'react';
import { useAction } from '../../graph/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ReleaseSponsorshipDocument } from './documents.ts';

type HeldPlaceProps = { token: string; heldUntil: string; onReleased: () => void };

const lookMs = 5_000;

/** Says for how long a place is held, and lets it be given to somebody else. */
export function HeldPlace({ token, heldUntil, onReleased }: HeldPlaceProps) {
  const minutes = useMinutesUntil(heldUntil);
  const { run, busy } = useAction(ReleaseSponsorshipDocument);
  if (minutes <= 0)
    return (
      <p className="sponsored-row">
        Your place was held for half an hour. It is held again as soon as you go on.
      </p>
    );
  const giveBack = async () => {
    if (await run({ token })) onReleased();
  };
  return (
    <p className="sponsored-row">
      <span>
        Your place is held for {minutes === 1 ? 'one more minute' : `${minutes} more minutes`}.
      </span>
      <Button kind="quiet" busy={busy} onClick={giveBack}>
        Give it back
      </Button>
    </p>
  );
}

function useMinutesUntil(moment: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), lookMs);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(moment) - now) / 60_000);
}
