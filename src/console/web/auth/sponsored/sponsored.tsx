import { useCallback, useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loading } from '../../ui/loading.tsx';
import { AlreadyRedeemed } from './already-redeemed.tsx';
import { Begin } from './begin.tsx';
import { Confirm } from './confirm.tsx';
import type { WorkspaceFragment } from './documents.ts';
import { LinkPassword } from './link-password.tsx';
import { isRefusal, Refused } from './refused.tsx';
import './sponsored.css';
import { useOffer } from './use-offer.ts';
import { Welcome } from './welcome.tsx';

/**
 * What is behind a sponsored link, at whatever step its visitor is. The step is known by what
 * Atrium answers and not by what the page remembers, so that a reload, the way back and a detour
 * over a mail lead to the same place.
 */
export function Sponsored({ token }: { token: string }) {
  const { viewer, again: seeAgain } = useSession();
  const { offer, fault, loading, again } = useOffer(token);
  const [made, setMade] = useState<WorkspaceFragment>();
  const signedIn = useCallback(() => {
    seeAgain();
    again();
  }, [seeAgain, again]);

  if (made) return <Welcome workspace={made} />;
  if (fault?.reason === 'ALREADY_REDEEMED') return <AlreadyRedeemed token={token} />;
  if (fault && isRefusal(fault))
    return <Refused fault={fault} token={token} again={again} loading={loading} />;
  if (fault) return <FaultNote fault={fault} again={again} />;
  if (!offer) return <Loading lines={6} />;
  if (offer.needsPassword) return <LinkPassword token={token} offer={offer} />;
  const step = { token, offer, again };
  return viewer ? (
    <Confirm {...step} viewer={viewer} onMade={setMade} />
  ) : (
    <Begin {...step} onSignedIn={signedIn} />
  );
}
