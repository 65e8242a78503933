import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
import { useSession } from '../session/session.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { FormButtons } from '../ui/form.tsx';
import { PageHead } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { ClaimAddress, type UnclaimedAddress } from './claim-address.tsx';
import { Message } from './message.tsx';
import { nextPath } from './next-path.ts';
import { RequestMail } from './request-mail.tsx';

/**
 * The page behind the confirmation link of an e-mail: it confirms the address, signs in, and
 * returns to the page where the person was.
 */
export function Verify() {
  const [search] = useSearchParams();
  const { run, fault } = useAuthCall('verify-email');
  const [isOtherAccount, setOtherAccount] = useState(false);
  const [unclaimed, setUnclaimed] = useState<UnclaimedAddress>();
  const token = search.get('token');
  // A link works once, so it is sent once, even when React runs the effect twice.
  const sentToken = useRef<string>(null);
  useEffect(() => {
    if (!token || sentToken.current === token) return;
    sentToken.current = token;
    void run({ token }).then((answer) => {
      if (!answer) return;
      const next = nextPath(String(answer['callbackPath']));
      if (answer['needsPassword'] === true)
        setUnclaimed({
          token,
          email: String(answer['email']),
          needsName: answer['needsName'] === true,
        });
      else if (needsSecondStep(answer)) location.replace(secondStepPath(next));
      else if (answer['signedIn'] === true) location.replace(next);
      else setOtherAccount(true);
    });
  }, [token, run]);

  if (isOtherAccount) return <OtherAccount />;
  if (unclaimed) return <ClaimAddress {...unclaimed} onElsewhere={() => setOtherAccount(true)} />;
  if (fault?.reason === 'ACCOUNT_EXISTS')
    return (
      <>
        <PageHead
          key="exists"
          title="You already have an account"
          lead="This link was for a new account. Your existing account has not changed. Sign in, or choose a new password if you forgot yours."
        />
        <FormButtons>
          <LinkButton href="/forgot">Choose a new password</LinkButton>
          <LinkButton href="/" kind="primary">
            Sign in
          </LinkButton>
        </FormButtons>
      </>
    );
  if (token && !fault)
    return (
      <>
        <PageHead title="Confirming your e-mail address" />
        <Loading />
      </>
    );
  if (fault && fault.reason !== 'LINK_NOT_VALID')
    return (
      <>
        <PageHead key="failed" title="Your address is not confirmed yet" lead={fault.message} />
        <Button kind="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      </>
    );
  return <InvalidLink />;
}

function OtherAccount() {
  const { viewer, signOut } = useSession();
  return (
    <>
      <PageHead
        key="elsewhere"
        title="The address is confirmed"
        lead={`You stay signed in as ${viewer?.person.email} in this browser.`}
      />
      <FormButtons>
        <Button onClick={signOut}>Sign in with the other account</Button>
        <LinkButton href="~/" kind="primary">
          Continue
        </LinkButton>
      </FormButtons>
    </>
  );
}

function InvalidLink() {
  const { viewer } = useSession();
  const [isSent, setSent] = useState(false);
  if (viewer)
    return (
      <Message
        title="This link was already used"
        lead="You are signed in. There is nothing left to do."
        href="~/"
        label="Continue"
      />
    );
  return (
    <>
      {!isSent && (
        <PageHead
          key="dead"
          title="This link no longer works"
          lead="It was already used, is older than one day, or is incomplete. If you have used it, sign in. Otherwise request a new one."
          back={{ href: '/', label: 'Sign in' }}
        />
      )}
      <RequestMail
        call="send-verification-email"
        label="Request a new link"
        submit="Send new link"
        onSent={setSent}
        sent={(email) => (
          <p>
            If the account of <strong>{email}</strong> is not confirmed yet, we sent a new link. If
            you receive no e-mail, create the account again.
          </p>
        )}
      />
    </>
  );
}
