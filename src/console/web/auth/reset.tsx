import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
import { t } from '../texts/text.ts';
import { CheckField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { PageHead } from '../ui/page.tsx';
import { Message } from './message.tsx';
import { nextPath } from './next-path.ts';

/** The page behind the password link of an e-mail: a new password signs the person in. */
export function Reset() {
  const [search] = useSearchParams();
  const { run, busy, fault } = useAuthCall('reset-password');
  if (fault?.reason === 'LINK_NOT_VALID' || !search.get('token')) {
    return (
      <Message
        title={t('auth.linkNoLongerWorks')}
        lead={t('auth.resetLinkDead')}
        href="/forgot"
        label={t('auth.requestNewLink')}
      />
    );
  }
  const submit = async (data: FormData) => {
    const result = await run({
      token: search.get('token'),
      password: data.get('password'),
      revokeKeys: data.get('revokeKeys') !== null,
    });
    if (!result) return;
    const next = nextPath(String(result['callbackPath']));
    location.replace(needsSecondStep(result) ? secondStepPath(next) : next);
  };
  return (
    <>
      <PageHead
        title={t('auth.chooseNewPassword')}
        lead={t('auth.otherDevices')}
        back={{ href: '/', label: t('auth.signIn') }}
      />
      <Form
        label={t('auth.chooseNewPassword')}
        onSubmit={submit}
        action={{ busy, fault: fault?.fields ? undefined : fault }}
        submit={t('auth.saveAndSignIn')}
      >
        <PasswordEntry label={t('auth.newPassword')} isNew error={fault?.fields?.['password']} />
        <CheckField
          label={t('auth.revokeKeys')}
          name="revokeKeys"
          defaultChecked
          hint={t('auth.revokeKeysHint')}
        />
      </Form>
    </>
  );
}
