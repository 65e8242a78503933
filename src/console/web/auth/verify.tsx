import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/ask-auth.ts';
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
 * Where the link of a mail leads: it confirms the address, signs in, and goes on to where its
 * reader came from.
 */
export function Verify() {
  const [search] = useSearchParams();
  const { run, fault } = useAuthCall('verify-email');
  const [isElsewhere, setElsewhere] = useState(false);
  const [unclaimed, setUnclaimed] = useState<UnclaimedAddress>();
  const token = search.get('token');
  // A link works once, so it is shown once.
  const shown = useRef<string>(null);
  useEffect(() => {
    if (!token || shown.current === token) return;
    shown.current = token;
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
      else setElsewhere(true);
    });
  }, [token, run]);

  const showElsewhere = () => {
    setUnclaimed(undefined);
    setElsewhere(true);
  };
  if (isElsewhere) return <OtherAccount />;
  if (unclaimed) return <ClaimAddress {...unclaimed} onElsewhere={showElsewhere} />;
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
  return <DeadLink />;
}

function AccountExists() {
  return (
    <>
      <PageHead
        key="exists"
        title="You already have an account"
        lead="This link was for a new account. Your account has not changed: sign in to it, or choose a new password if you do not know yours."
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
        lead={`In this browser you are signed in as ${viewer?.person.email}, so you stay that.`}
      />
      <FormButtons>
        <Button onClick={signOut}>Sign out, and in with the other account</Button>
        <LinkButton href="~/" kind="primary">
          Go on
        </LinkButton>
      </FormButtons>
    </>
  );
}

function DeadLink() {
  const { viewer } = useSession();
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const [typed, setTyped] = useState<string>();
  const [isSent, setSent] = useState(false);
  const send = async () => {
    const told = await run({ email: typed ?? '' });
    if (told) setSent(true);
    return told !== undefined;
  };
  if (viewer) {
    return (
      <>
        <PageHead
          key="in"
          title="This link was used already"
          lead="You are signed in, so there is nothing left to do."
        />
        <LinkButton href="~/" kind="primary">
          Go on
        </LinkButton>
      </>
    );
  }
  if (isSent) {
    return (
      <MailSent
        title="Look into your mailbox"
        sendAgain={send}
        busy={busy}
        fault={fault}
        back={{ label: 'Use another address', onBack: () => setSent(false) }}
      >
        <p>
          If the account of <strong>{typed}</strong> waits to be confirmed, we have sent a new link.
          If nothing comes, create the account once more.
        </p>
      </MailSent>
    );
  }
  return (
    <>
      <PageHead
        key="dead"
        title="This link does not work any more"
        lead="It was used already, is older than a day, or a part of it is missing. If you have used it, sign in."
        back={{ href: '/', label: 'Sign in' }}
      />
      <Form label="Ask for a new link" onSubmit={send} fault={fault?.fields ? undefined : fault}>
        <EmailField email={typed} error={fault?.fields?.['email']} onEmail={setTyped} />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Send me a new one
          </Button>
        </FormButtons>
      </Form>
    </>
  );
}
