import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ClaimAddress, type UnclaimedAddress } from './claim-address.tsx';
import { EmailField } from './email-field.tsx';
import { MailSent } from './mail-sent.tsx';
import { nextPath } from './next-path.ts';
import { needsSecondStep, secondStepPath } from './second-step-path.ts';

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

  const showOtherAccount = () => {
    setUnclaimed(undefined);
    setOtherAccount(true);
  };
  if (isOtherAccount) return <OtherAccount />;
  if (unclaimed) return <ClaimAddress {...unclaimed} onElsewhere={showOtherAccount} />;
  if (fault?.reason === 'ACCOUNT_EXISTS') return <AccountExists />;

  if (token && !fault) {
    return (
      <>
        <PageHead title="Confirming your e-mail address" />
        <Loading />
      </>
    );
  }
  if (fault && fault.reason !== 'LINK_NOT_VALID') {
    return (
      <>
        <PageHead key="failed" title="Your address is not confirmed yet" lead={fault.message} />
        <Button kind="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      </>
    );
  }
  return <InvalidLink />;
}

function AccountExists() {
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
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const [typed, setTyped] = useState<string>();
  const [isSent, setSent] = useState(false);
  const send = async () => {
    const result = await run({ email: typed ?? '' });
    if (result) setSent(true);
    return result !== undefined;
  };
  if (viewer) {
    return (
      <>
        <PageHead
          key="in"
          title="This link was already used"
          lead="You are signed in. There is nothing left to do."
        />
        <LinkButton href="~/" kind="primary">
          Continue
        </LinkButton>
      </>
    );
  }
  if (isSent) {
    return (
      <MailSent
        title="Check your inbox"
        sendAgain={send}
        busy={busy}
        fault={fault}
        back={{ label: 'Use another address', onBack: () => setSent(false) }}
      >
        <p>
          If the account of <strong>{typed}</strong> is not confirmed yet, we sent a new link. If
          you receive no e-mail, create the account again.
        </p>
      </MailSent>
    );
  }
  return (
    <>
      <PageHead
        key="dead"
        title="This link no longer works"
        lead="It was already used, is older than one day, or is incomplete. If you have used it, sign in. Otherwise request a new one."
        back={{ href: '/', label: 'Sign in' }}
      />
      <Form label="Request a new link" onSubmit={send} fault={fault?.fields ? undefined : fault}>
        <EmailField email={typed} error={fault?.fields?.['email']} onEmail={setTyped} />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Send new link
          </Button>
        </FormButtons>
      </Form>
    </>
  );
}
