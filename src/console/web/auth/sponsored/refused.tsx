import { type ReactNode, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useAuthCall } from '../../session/auth-api.ts';
import { useSession } from '../../session/session.tsx';
import type { PlainKey } from '../../texts/catalogue.ts';
import { richText, t } from '../../texts/text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { OtherAccount, offerPathOf } from './welcome.tsx';

type OfferRefusal = {
  icon: IconName;
  title: PlainKey;
  text: PlainKey;
  action?: 'retry' | 'other account' | 'confirm';
};

const unknownLink: OfferRefusal = {
  icon: 'search',
  title: 'sponsored.noSuchLink',
  text: 'sponsored.noSuchLinkHint',
};

const refusals: Record<string, OfferRefusal> = {
  LINK_INACTIVE: {
    icon: 'link',
    title: 'sponsored.linkPaused',
    text: 'sponsored.linkPausedHint',
  },
  CAMPAIGN_INACTIVE: {
    icon: 'clock',
    title: 'sponsored.offerPaused',
    text: 'sponsored.offerPausedHint',
  },
  CAMPAIGN_EXPIRED: {
    icon: 'clock',
    title: 'sponsored.offerEnded',
    text: 'sponsored.offerEndedHint',
  },
  CAMPAIGN_EXHAUSTED: {
    icon: 'users',
    title: 'sponsored.offerUsedUp',
    text: 'sponsored.offerUsedUpHint',
    action: 'retry',
  },
  INVITATION_EXPIRED: {
    icon: 'clock',
    title: 'sponsored.invitationExpired',
    text: 'sponsored.invitationEndedHint',
  },
  INVITATION_REVOKED: {
    icon: 'link',
    title: 'sponsored.invitationRevoked',
    text: 'sponsored.invitationEndedHint',
  },
  INVITATION_USED: {
    icon: 'users',
    title: 'sponsored.invitationUsed',
    text: 'sponsored.invitationEndedHint',
  },
  EMAIL_NOT_ALLOWED: {
    icon: 'user',
    title: 'sponsored.notForYourAddress',
    text: 'sponsored.notForYourAddressHint',
    action: 'other account',
  },
  EMAIL_NOT_VERIFIED: {
    icon: 'user',
    title: 'sponsored.confirmAddressFirst',
    text: 'sponsored.confirmAddressFirstHint',
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
      <PageHead title={t(title)} lead={t(text)} />
      {viewer && (action === 'other account' || action === 'confirm') && (
        <p className="sponsored-address">
          {richText('sponsored.signedInAs', {
            email: viewer.person.email,
            b: (text) => <strong>{text}</strong>,
          })}
        </p>
      )}
      <div className="sponsored-actions row">
        <LinkButton href={viewer ? '~/' : '~/auth'}>
          {viewer ? t('sponsored.goToAtrium') : t('sponsored.signInWithoutOffer')}
        </LinkButton>
        {action === 'retry' && (
          <Button kind="primary" busy={loading} onClick={tryAgain}>
            {t('sponsored.tryAgain')}
          </Button>
        )}
        {viewer && action === 'other account' && <OtherAccount token={token} kind="primary" />}
        {viewer && action === 'confirm' && (
          <SendConfirmation email={viewer.person.email} token={token} />
        )}
      </div>
      {action === 'retry' && (
        <p className="sponsored-row spread" role="status">
          {hasRetried && !loading && t('sponsored.stillUsedUp')}
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
        {isSent ? t('sponsored.sendAgain') : t('sponsored.sendConfirmation')}
      </Button>
      <FaultNote fault={fault} />
      <p role="status">{isSent && t('sponsored.confirmationSent', { email })}</p>
    </>
  );
}
