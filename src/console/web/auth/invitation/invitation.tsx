import { useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { chooseOrganization } from '../../graph/organization.ts';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { callAuth } from '../../session/auth-api.ts';
import { useSession } from '../../session/session.tsx';
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
    title: 'This invitation has expired',
    lead: 'An invitation is valid for seven days. Ask the person who invited you for a new one.',
  },
  INVITATION_USED: {
    title: 'This invitation was already used',
    lead: 'Somebody has already joined with it. If it was you, sign in.',
  },
  INVITATION_REVOKED: {
    title: 'This invitation was revoked',
    lead: 'An administrator revoked it. If you think that this is a mistake, ask the person who invited you.',
  },
  ALREADY_MEMBER: {
    title: 'You are already a member',
    lead: 'You belong to this organization, so there is nothing left to accept.',
  },
  NOT_FOUND: {
    title: 'This invitation does not exist',
    lead: 'The link may be incomplete, or a newer link has replaced it. Look for the latest e-mail, or ask for a new link.',
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
  if (refusal) return <FinalMessage {...refusal} />;
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
        title={`Join ${organizationName}`}
        lead={
          <>
            {invitedBy ?? 'An administrator'} invites <strong>{email}</strong> to {organizationName}
            {role === 'ADMIN' && ' as an administrator'}. The invitation is valid until{' '}
            <Time at={expiresAt} />.
          </>
        }
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
      <h2 className="auth-choice">{isNew ? 'Create your account' : 'Sign in'}</h2>
      {needsPassword && !isNew && (
        <Notice>
          An administrator created your account, and it has no password yet. Choose one with “Forgot
          your password?”, then open this link again.
        </Notice>
      )}
      {isNew ? <SignUpForm {...form} lockEmail /> : <SignInForm {...form} />}
      <p>
        {isNew ? 'Do you already have an account?' : 'No account yet?'}{' '}
        <Button kind="quiet" onClick={() => setNew(!isNew)}>
          {isNew ? 'Sign in instead' : 'Create an account'}
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
  if (refusal) return <FinalMessage {...refusal} />;
  return (
    <Form
      label="Accept the invitation"
      onSubmit={accept}
      action={{ busy, fault }}
      submit={`Join ${organizationName}`}
    >
      <p>
        You are signed in as <strong>{email}</strong>.
      </p>
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
    chooseOrganization(null);
    location.assign(invitationPath(token));
  };
  return (
    <>
      <Notice tone="busy">
        You are signed in as <strong>{signedInAs}</strong>, but the invitation is for{' '}
        <strong>{invited}</strong>.
      </Notice>
      <FormButtons>
        <LinkButton href="~/">Keep this account</LinkButton>
        <Button kind="primary" busy={isBusy} onClick={switchAccount}>
          Use another account
        </Button>
      </FormButtons>
    </>
  );
}
