import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphMutation } from '../graph/use-graph-mutation.ts';
import { PasswordEntry } from '../session/password-entry.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useToast } from '../ui/toast.tsx';
import { ChangePasswordDocument } from './documents.ts';

type SecurityPasswordProps = { email: string; hasPassword: boolean; sendsMail: boolean };

export function SecurityPassword({ email, hasPassword, sendsMail }: SecurityPasswordProps) {
  const { run, busy, fault } = useGraphMutation(ChangePasswordDocument, {
    invalidates: ['Session'],
  });
  const [changeCount, setChangeCount] = useState(0);
  const toast = useToast();
  const forgotPath = `~/auth/forgot?${new URLSearchParams({ email, next: '/settings/security' })}`;
  if (!hasPassword) {
    return (
      <Card title="Password">
        <p>You sign in with another site and have no password here.</p>
        {sendsMail && <Link href={forgotPath}>Choose a password by e-mail</Link>}
      </Card>
    );
  }

  const save = async (data: FormData) => {
    const signOutElsewhere = data.has('signOutElsewhere');
    const result = await run({
      currentPassword: String(data.get('currentPassword')),
      newPassword: String(data.get('newPassword')),
      signOutElsewhere,
    });
    if (!result) return;
    // A new key renders a new form, so that no password stays in the page.
    setChangeCount(changeCount + 1);
    toast(
      result.changePassword > 0
        ? 'Your password was changed, and all other devices were signed out'
        : 'Your password was changed',
    );
  };
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const isEasyToGuess = fault?.reason === 'PASSWORD_EASY_TO_GUESS';
  return (
    <Card title="Password">
      <Form
        key={changeCount}
        label="Change your password"
        onSubmit={save}
        fault={isWrong || isEasyToGuess ? undefined : fault}
        className="settings-form"
      >
        {/* Password managers store a password together with a user name. */}
        <span className="sr-only" aria-hidden="true">
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={email}
            readOnly
            tabIndex={-1}
          />
        </span>
        <PasswordEntry
          label="Current password"
          name="currentPassword"
          error={isWrong ? fault.message : undefined}
        />
        <PasswordEntry
          label="New password"
          name="newPassword"
          isNew
          error={isEasyToGuess ? fault.message : undefined}
        />
        <CheckField
          name="signOutElsewhere"
          label="Sign out everywhere else"
          hint="This also signs out anybody who knew the old password."
          defaultChecked
        />
        <FormButtons>
          {sendsMail && (
            <LinkButton href={forgotPath} kind="quiet">
              Forgot your password?
            </LinkButton>
          )}
          <Button type="submit" kind="primary" busy={busy}>
            Change password
          </Button>
        </FormButtons>
      </Form>
    </Card>
  );
}
