import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { leaveAccount } from './leave-account.ts';

type WrongAccountProps = { token: string; signedInAs: string; invited: string };

export function WrongAccount({ token, signedInAs, invited }: WrongAccountProps) {
  const [isBusy, setBusy] = useState(false);
  const switchAccount = async () => {
    setBusy(true);
    await leaveAccount(token);
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
