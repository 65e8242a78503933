import { type ReactNode, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useAuthCall } from '../../session/auth-api.ts';
import { useSession } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { OtherAccount, offerPathOf } from './welcome.tsx';

type OfferRefusal = {
  icon: IconName;
  title: string;
  text: string;
  action?: 'retry' | 'other account' | 'confirm';
};

const unknownLink: OfferRefusal = {
  icon: 'search',
  title: 'This link does not exist',
  text: 'The link may be incomplete. Copy the whole address, or ask for a new link.',
};

const refusals: Record<string, OfferRefusal> = {
  LINK_INACTIVE: {
    icon: 'link',
    title: 'This link is paused',
    text: 'The sponsor paused it, but the offer may have other links. Ask the person who gave you the link.',
  },
  CAMPAIGN_INACTIVE: {
    icon: 'clock',
    title: 'This offer is paused',
    text: 'The sponsor paused this offer. Ask the person who gave you the link.',
  },
  CAMPAIGN_EXPIRED: {
    icon: 'clock',
    title: 'This offer has ended',
    text: 'The offer is past its end date. Ask the person who gave you the link whether there is a new one.',
  },
  CAMPAIGN_EXHAUSTED: {
    icon: 'users',
    title: 'This offer is fully used',
    text: 'People who are signing up now may hold reservations. An unused reservation expires after half an hour, so you can try again later.',
    action: 'retry',
  },
  EMAIL_NOT_ALLOWED: {
    icon: 'user',
    title: 'This offer is not open to your e-mail address',
    text: 'The sponsor limits it to certain addresses. If you have another address, such as one of your company, use that one.',
    action: 'other account',
  },
  EMAIL_NOT_VERIFIED: {
    icon: 'user',
    title: 'Confirm your e-mail address first',
    text: 'The sponsor limits this offer to certain addresses, so you must confirm yours. Send the confirmation e-mail, and open the link in it.',
    action: 'confirm',
  },
};

const refusalOf = ({ code, reason }: ApiFault): OfferRefusal | undefined =>
  code === 'NOT_FOUND' ? unknownLink : refusals[reason ?? ''];

/** Whether the error is about the offer. Other errors may be temporary. */
export const isRefusal = (fault: ApiFault): boolean => refusalOf(fault) !== undefined;

type RefusedProps = { fault: ApiFault; token: string; refetch: () => void; loading: boolean };

/** Explains why the offer cannot be used, and what the person can do. */
export function Refused({ fault, token, refetch, loading }: RefusedProps): ReactNode {
  const { viewer } = useSession();
  const [hasRetried, setRetried] = useState(false);
  const refusal = refusalOf(fault);
  if (!refusal) return null;
  const tryAgain = () => {
    setRetried(true);
    refetch();
  };
  const { icon, title, text, action } = refusal;
  return (
    <>
      <span className="sponsored-sign">
        <Icon name={icon} />
      </span>
      <PageHead title={title} lead={text} />
      {viewer && (action === 'other account' || action === 'confirm') && (
        <p className="sponsored-address">
          Signed in as <strong>{viewer.person.email}</strong>
        </p>
      )}
      <div className="sponsored-actions row">
        <LinkButton href={viewer ? '~/' : '~/auth'}>
          {viewer ? 'Go to Atrium' : 'Sign in without the offer'}
        </LinkButton>
        {action === 'retry' && (
          <Button kind="primary" busy={loading} onClick={tryAgain}>
            Try again
          </Button>
        )}
        {viewer && action === 'other account' && <OtherAccount token={token} kind="primary" />}
        {viewer && action === 'confirm' && (
          <SendConfirmation email={viewer.person.email} token={token} />
        )}
      </div>
      {action === 'retry' && (
        <p className="sponsored-row spread" role="status">
          {hasRetried && !loading && 'The offer is still fully used.'}
        </p>
      )}
    </>
  );
}

/** Sends an e-mail whose link confirms the signed-in person's address and returns to the offer. */
function SendConfirmation({ email, token }: { email: string; token: string }) {
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const [isSent, setSent] = useState(false);
  const send = async () =>
    setSent((await run({ email, callbackPath: offerPathOf(token) })) !== undefined);
  return (
    <>
      <Button kind="primary" busy={busy} onClick={send}>
        {isSent ? 'Send again' : 'Send confirmation e-mail'}
      </Button>
      <FaultNote fault={fault} />
      <p role="status">
        {isSent && `We sent an e-mail to ${email}. Its link returns to this offer.`}
      </p>
    </>
  );
}
