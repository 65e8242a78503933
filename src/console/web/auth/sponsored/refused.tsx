import { type ReactNode, useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { OtherAccount } from './other-account.tsx';
import { SendConfirmation } from './send-confirmation.tsx';

type Refusal = {
  icon: IconName;
  title: string;
  told: string;
  actions?: 'again' | 'other account' | 'confirm';
};

const unknownLink: Refusal = {
  icon: 'search',
  title: 'There is no such link',
  told: 'Links get lost when a mail breaks them over two lines. Please copy the whole address, or ask for it again.',
};

const refusals: Record<string, Refusal> = {
  LINK_INACTIVE: {
    icon: 'link',
    title: 'This link is switched off',
    told: 'The offer may still be there by another link. Please ask whoever gave this one to you.',
  },
  CAMPAIGN_INACTIVE: {
    icon: 'clock',
    title: 'This offer is switched off',
    told: 'Its sponsor has stopped it, for a while or for good. Please ask whoever gave you the link.',
  },
  CAMPAIGN_EXPIRED: {
    icon: 'clock',
    title: 'This offer has ended',
    told: 'It could be used up to a certain day, which has passed. Please ask whoever gave you the link whether there is a new one.',
  },
  CAMPAIGN_EXHAUSTED: {
    icon: 'users',
    title: 'All places of this offer are taken',
    told: 'Some may be held by people who are signing up just now. A place that is not used in half an hour is free again, so it can be worth another try.',
    actions: 'again',
  },
  EMAIL_NOT_ALLOWED: {
    icon: 'user',
    title: 'This offer is not open to your e-mail address',
    told: 'Its sponsor has named the addresses that it is meant for. If you have another one, such as that of your company, use it instead.',
    actions: 'other account',
  },
  EMAIL_NOT_VERIFIED: {
    icon: 'user',
    title: 'Please confirm your e-mail address first',
    told: 'This offer is meant for certain addresses, so Atrium must know that yours belongs to you. Ask for the mail, open the link in it, and come back here.',
    actions: 'confirm',
  },
};

const refusalOf = ({ code, reason }: Fault): Refusal | undefined =>
  code === 'NOT_FOUND' ? unknownLink : refusals[reason ?? ''];

/** Whether a fault says something about the offer. Any other may be gone when it is asked again. */
export const isRefusal = (fault: Fault): boolean => refusalOf(fault) !== undefined;

type RefusedProps = { fault: Fault; token: string; again: () => void; loading: boolean };

/** Why a link leads no further, and what can be done about it. */
export function Refused({ fault, token, again, loading }: RefusedProps): ReactNode {
  const { viewer } = useSession();
  const [isTried, setTried] = useState(false);
  const refusal = refusalOf(fault);
  if (!refusal) return null;
  const tryAgain = () => {
    setTried(true);
    again();
  };
  const { icon, title, told, actions } = refusal;
  return (
    <>
      <span className="sponsored-sign">
        <Icon name={icon} />
      </span>
      <PageHead title={title} lead={told} />
      {viewer && (actions === 'other account' || actions === 'confirm') && (
        <p className="sponsored-address">
          Signed in as <strong>{viewer.person.email}</strong>
        </p>
      )}
      <div className="sponsored-way-in">
        <LinkButton href={viewer ? '~/' : '~/auth'}>
          {viewer ? 'Go to Atrium' : 'Sign in without the offer'}
        </LinkButton>
        {actions === 'again' && (
          <Button kind="primary" busy={loading} onClick={tryAgain}>
            Try again
          </Button>
        )}
        {viewer && actions === 'other account' && <OtherAccount token={token} kind="primary" />}
        {viewer && actions === 'confirm' && (
          <SendConfirmation email={viewer.person.email} token={token} />
        )}
      </div>
      {actions === 'again' && (
        <p className="sponsored-row" role="status">
          {isTried && !loading && 'There is still no free place.'}
        </p>
      )}
    </>
  );
}
