import { useState } from 'react';
import { useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
import { richText, t } from '../texts/text.ts';
import { Form } from '../ui/form.tsx';
import { PageHead } from '../ui/page.tsx';
import { NameFields } from './account-fields.tsx';
import { Message } from './message.tsx';
import { nextPath } from './next-path.ts';

export type UnclaimedAddress = { token: string; email: string; needsName: boolean };

type ClaimAddressProps = UnclaimedAddress & {
  /** Called when the address is confirmed, but this browser is signed in to another account. */
  onElsewhere: () => void;
};

/**
 * Shown when another browser requested the link: whoever reads the e-mail chooses the password
 * here, and the password from the other browser is discarded.
 */
export function ClaimAddress({ token, email, needsName, onElsewhere }: ClaimAddressProps) {
  const { run, busy, fault } = useAuthCall('verify-email');
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const submit = async (data: FormData) => {
    const typed = needsName
      ? { firstName: String(data.get('firstName')), lastName: String(data.get('lastName')) }
      : {};
    setNames(typed);
    const answer = await run({ token, password: data.get('password'), ...typed });
    if (!answer) return;
    const next = nextPath(String(answer['callbackPath']));
    if (needsSecondStep(answer)) location.replace(secondStepPath(next));
    else if (answer['signedIn'] === true) location.replace(next);
    else onElsewhere();
  };
  if (fault?.reason === 'LINK_NOT_VALID' || fault?.reason === 'ACCOUNT_EXISTS') {
    return (
      <Message
        title={t('auth.linkNoLongerWorks')}
        lead={t('auth.linkUsedMeanwhile')}
        href="/"
        label={t('auth.signIn')}
      />
    );
  }
  return (
    <>
      <PageHead
        key="claim"
        title={t('auth.chooseYourPassword')}
        lead={richText('auth.otherBrowser', { email, b: (text) => <strong>{text}</strong> })}
      />
      <Form
        label={t('auth.chooseYourPassword')}
        onSubmit={submit}
        action={{ busy, fault: fault?.fields ? undefined : fault }}
        submit={t('auth.confirmAndSignIn')}
      >
        {needsName && <NameFields typed={names} faults={fault?.fields} />}
        <PasswordEntry label={t('auth.newPassword')} isNew error={fault?.fields?.['password']} />
      </Form>
      <p className="quiet auth-note">{t('auth.notRequested')}</p>
    </>
  );
}
