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
 * The page behind a sponsored link. The API decides which step it shows, not the state of the page,
 * so a reload, going back, and returning from an e-mail all show the same step.
 */
export function Sponsored({ token }: { token: string }) {
  const { viewer, refetch: refetchSession } = useSession();
  const { offer, fault, loading, refetch } = useOffer(token);
  const [workspace, setWorkspace] = useState<WorkspaceFragment>();
  const onSignedIn = useCallback(() => {
    refetchSession();
    refetch();
  }, [refetchSession, refetch]);

  if (workspace) return <Welcome workspace={workspace} />;
  if (fault?.reason === 'ALREADY_REDEEMED') return <AlreadyRedeemed token={token} />;
  if (fault && isRefusal(fault))
    return <Refused fault={fault} token={token} refetch={refetch} loading={loading} />;
  if (fault) return <FaultNote fault={fault} onRetry={refetch} />;
  if (!offer) return <Loading lines={6} />;
  if (offer.needsPassword) return <LinkPassword token={token} offer={offer} />;
  const step = { token, offer, refetch };
  return viewer ? (
    <Confirm {...step} viewer={viewer} onRedeemed={setWorkspace} />
  ) : (
    <Begin {...step} onSignedIn={onSignedIn} />
  );
}
