import { useSearchParams } from 'wouter';
import { useAuthCall } from '../session/ask-auth.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { nextPath } from './next-path.ts';
import { needsSecondStep, secondStepPath } from './second-step-path.ts';

/** Where the link of a mail leads: a new password, and one is in. */
export function Reset() {
  const [search] = useSearchParams();
  const { run, busy, fault } = useAuthCall('reset-password');
  if (fault?.reason === 'LINK_NOT_VALID' || !search.get('token')) {
    return (
      <>
        <PageHead
          key="dead"
          title="This link does not work any more"
          lead="It was used already, is older than an hour, or a part of it is missing."
        />
        <LinkButton href="/forgot" kind="primary">
          Send me a new one
        </LinkButton>
      </>
    );
  }
  const submit = async (data: FormData) => {
    const told = await run({
      token: search.get('token'),
      password: data.get('password'),
      revokeKeys: data.get('revokeKeys') !== null,
    });
    if (!told) return;
    const next = nextPath(String(told['callbackPath']));
    location.replace(needsSecondStep(told) ? secondStepPath(next) : next);
  };
  return (
    <>
      <PageHead
        title="Choose a new password"
        lead="Wherever you are signed in with the old one, you will be signed out."
        back={{ href: '/', label: 'Sign in' }}
      />
      <Form
        label="Choose a new password"
        onSubmit={submit}
        fault={fault?.fields ? undefined : fault}
      >
        <PasswordEntry label="New password" isNew error={fault?.fields?.['password']} />
        <CheckField
          label="Revoke all my API keys"
          name="revokeKeys"
          defaultChecked
          hint="Somebody who knew the old password may have made one."
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save and sign in
          </Button>
        </FormButtons>
      </Form>
    </>
  );
}
