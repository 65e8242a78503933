import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
import { useSession } from '../session/session.tsx';
import { richText, t } from '../texts/text.ts';
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
        <PageHead key="exists" title={t('auth.accountExists')} lead={t('auth.accountExistsHint')} />
        <FormButtons>
          <LinkButton href="/forgot">{t('auth.chooseNewPassword')}</LinkButton>
          <LinkButton href="/" kind="primary">
            {t('auth.signIn')}
          </LinkButton>
        </FormButtons>
      </>
    );
  if (token && !fault)
    return (
      <>
        <PageHead title={t('auth.confirming')} />
        <Loading />
      </>
    );
  if (fault && fault.reason !== 'LINK_NOT_VALID')
    return (
      <>
        <PageHead key="failed" title={t('auth.notConfirmed')} lead={fault.message} />
        <Button kind="primary" onClick={() => location.reload()}>
          {t('auth.tryAgain')}
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
        title={t('auth.addressConfirmed')}
        lead={t('auth.staySignedIn', { email: viewer?.person.email ?? '' })}
      />
      <FormButtons>
        <Button onClick={signOut}>{t('auth.signInWithOther')}</Button>
        <LinkButton href="~/" kind="primary">
          {t('auth.continue')}
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
        title={t('auth.linkUsed')}
        lead={t('auth.nothingLeft')}
        href="~/"
        label={t('auth.continue')}
      />
    );
  return (
    <>
      {!isSent && (
        <PageHead
          key="dead"
          title={t('auth.linkNoLongerWorks')}
          lead={t('auth.verifyLinkDead')}
          back={{ href: '/', label: t('auth.signIn') }}
        />
      )}
      <RequestMail
        call="send-verification-email"
        label={t('auth.requestNewLink')}
        submit={t('auth.sendNewLink')}
        onSent={setSent}
        sent={(email) => (
          <p>{richText('auth.verifySent', { email, b: (text) => <strong>{text}</strong> })}</p>
        )}
      />
    </>
  );
}
