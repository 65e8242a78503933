import { useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { callAuth } from '../../session/auth-api.ts';
import { forgetPerson } from '../../session/other-tabs.ts';
import { useSession } from '../../session/session.tsx';
import { richText, t } from '../../texts/text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page.tsx';
import { Loaded, Notice } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { SignInForm, SignUpForm } from '../credentials.tsx';
import { FinalMessage } from '../message.tsx';
import {
  AcceptInvitationDocument,
  InvitationOfferDocument,
  type InvitationOfferQuery,
} from './documents.ts';

const invitationPath = (token: string) => `/auth?invitation=${encodeURIComponent(token)}`;

const refusals = {
  INVITATION_EXPIRED: {
    title: 'auth.invitationExpired',
    lead: 'auth.invitationExpiredHint',
  },
  INVITATION_USED: {
    title: 'auth.invitationUsed',
    lead: 'auth.invitationUsedHint',
  },
  INVITATION_REVOKED: {
    title: 'auth.invitationRevoked',
    lead: 'auth.invitationRevokedHint',
  },
  ALREADY_MEMBER: {
    title: 'auth.alreadyMember',
    lead: 'auth.alreadyMemberHint',
  },
  NOT_FOUND: {
    title: 'auth.noSuchInvitation',
    lead: 'auth.noSuchInvitationHint',
  },
} as const;

const isKnown = (name: string | undefined): name is keyof typeof refusals =>
  name !== undefined && Object.hasOwn(refusals, name);

/** Why the invitation cannot be used; undefined for a temporary failure. */
const refusalOf = (fault: ApiFault | undefined) =>
  isKnown(fault?.reason)
    ? refusals[fault.reason]
    : isKnown(fault?.code)
      ? refusals[fault.code]
      : undefined;

type OfferProps = InvitationOfferQuery['invitation'] & { token: string };

/** The page behind an invitation link: who invites to which organization, and how to accept. */
export function Invitation({ token }: { token: string }) {
  const answer = useGraphQuery(InvitationOfferDocument, { token });
  const refusal = answer.data ? undefined : refusalOf(answer.fault);
  if (refusal) return <FinalMessage title={t(refusal.title)} lead={t(refusal.lead)} />;
  return (
    <Loaded answer={answer} lines={6}>
      {({ invitation }) => <Offer {...invitation} token={token} />}
    </Loaded>
  );
}

function Offer(offer: OfferProps) {
  const { viewer } = useSession();
  const { organizationName, email, role, invitedBy, expiresAt } = offer;
  return (
    <>
      <PageHead
        // The form that had the focus is gone after the sign-in, so a new heading takes it.
        key={viewer ? 'accept' : 'sign-in'}
        title={t('auth.joinOrganization', { organizationName })}
        lead={richText('auth.invitationLead', {
          invitedBy: invitedBy ?? t('auth.anAdministrator'),
          email,
          organizationName,
          role,
          b: (text) => <strong>{text}</strong>,
          time: () => <Time at={expiresAt} />,
        })}
      />
      {!viewer ? (
        <AccountChoice {...offer} />
      ) : viewer.person.email === email ? (
        <AcceptAs {...offer} />
      ) : (
        <WrongAccount token={offer.token} signedInAs={viewer.person.email} invited={email} />
      )}
    </>
  );
}

/**
 * For people who are not signed in: create an account with the invited address, or sign in to an
 * existing one. Afterwards the browser returns to the invitation.
 */
function AccountChoice({ token, email, needsAccount, needsPassword }: OfferProps) {
  const { refetch } = useSession();
  const [isNew, setNew] = useState(needsAccount);
  const form = { email, next: invitationPath(token), onDone: refetch };
  return (
    <>
      <h2 className="auth-choice">{isNew ? t('auth.createYourAccount') : t('auth.signIn')}</h2>
      {needsPassword && !isNew && <Notice>{t('auth.noPasswordYet')}</Notice>}
      {isNew ? <SignUpForm {...form} lockEmail /> : <SignInForm {...form} />}
      <p className="auth-switch row">
        {isNew ? t('auth.haveAccount') : t('auth.noAccountYet')}
        <Button kind="quiet" onClick={() => setNew(!isNew)}>
          {isNew ? t('auth.signInInstead') : t('auth.createAccount')}
        </Button>
      </p>
    </>
  );
}

/**
 * For a person who is signed in with the invited address. The invitation is accepted only when they
 * press the button.
 */
function AcceptAs({ token, email, organizationName }: OfferProps) {
  const { choose } = useSession();
  const { run, busy, fault } = useGraphMutation(AcceptInvitationDocument);
  const accept = async () => {
    const result = await run({ token });
    if (result) choose(result.acceptInvitation.organization.id);
  };
  const refusal = refusalOf(fault);
  if (refusal) return <FinalMessage title={t(refusal.title)} lead={t(refusal.lead)} />;
  return (
    <Form
      label={t('auth.acceptInvitation')}
      onSubmit={accept}
      action={{ busy, fault }}
      submit={t('auth.joinOrganization', { organizationName })}
    >
      <p>{richText('auth.signedInAs', { email, b: (text) => <strong>{text}</strong> })}</p>
    </Form>
  );
}

type WrongAccountProps = { token: string; signedInAs: string; invited: string };

function WrongAccount({ token, signedInAs, invited }: WrongAccountProps) {
  const [isBusy, setBusy] = useState(false);
  // The sign-out of the session would open the sign-in page instead of the invitation.
  const switchAccount = async () => {
    setBusy(true);
    await callAuth('sign-out', {});
    forgetPerson();
    location.assign(invitationPath(token));
  };
  return (
    <>
      <Notice tone="busy">
        {richText('auth.invitedOther', {
          signedInAs,
          invited,
          b: (text) => <strong>{text}</strong>,
        })}
      </Notice>
      <FormButtons>
        <LinkButton href="~/">{t('auth.keepThisAccount')}</LinkButton>
        <Button kind="primary" busy={isBusy} onClick={switchAccount}>
          {t('auth.useAnotherAccount')}
        </Button>
      </FormButtons>
    </>
  );
}
