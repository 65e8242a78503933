import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/auth-api.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { needsSecondStep, secondStepPath } from '../session/second-step-path.ts';
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
        title="This link no longer works"
        lead="It was already used, is older than one hour, or is incomplete. Request a new one."
        href="/forgot"
        label="Request a new link"
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
        title="Choose a new password"
        lead="All other browsers and devices will be signed out."
        back={{ href: '/', label: 'Sign in' }}
      />
      <Form
        label="Choose a new password"
        onSubmit={submit}
        action={{ busy, fault: fault?.fields ? undefined : fault }}
        submit="Save and sign in"
      >
        <PasswordEntry label="New password" isNew error={fault?.fields?.['password']} />
        <CheckField
          label="Revoke all my API keys"
          name="revokeKeys"
          defaultChecked
          hint="Somebody who knew the old password may have created one."
        />
      </Form>
    </>
  );
}
