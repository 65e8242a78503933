import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ReleaseSponsorshipDocument } from './documents.ts';

type ReservationNoteProps = { token: string; heldUntil: string; onReleased: () => void };

const refreshMs = 5_000;

/** Shows how long the reservation is valid, and lets the person cancel it. */
export function ReservationNote({ token, heldUntil, onReleased }: ReservationNoteProps) {
  const minutes = useMinutesUntil(heldUntil);
  const { run, busy } = useGraphMutation(ReleaseSponsorshipDocument);
  if (minutes <= 0)
    return <p className="sponsored-row spread">{t('sponsored.reservationExpired')}</p>;
  const cancelReservation = async () => {
    if (await run({ token })) onReleased();
  };
  return (
    <p className="sponsored-row spread">
      <span>{t('sponsored.reservationValid', { minutes })}</span>
      <Button kind="quiet" busy={busy} onClick={cancelReservation}>
        {t('sponsored.cancelReservation')}
      </Button>
    </p>
  );
}

function useMinutesUntil(moment: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(moment) - now) / 60_000);
}
