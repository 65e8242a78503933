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
  const [changes, setChanges] = useState(0);
  const toast = useToast();
  const forgot = `~/auth/forgot?${new URLSearchParams({ email, next: '/settings/security' })}`;
  if (!hasPassword) {
    return (
      <Card title="Password">
        <p>You sign in with another site, and have no password here.</p>
        {sendsMail && <Link href={forgot}>Choose one by mail</Link>}
      </Card>
    );
  }

  const save = async (data: FormData) => {
    const signOutElsewhere = data.has('signOutElsewhere');
    const done = await run({
      currentPassword: String(data.get('currentPassword')),
      newPassword: String(data.get('newPassword')),
      signOutElsewhere,
    });
    if (!done) return;
    // A new form: nothing of the passwords stays in the page.
    setChanges(changes + 1);
    toast(
      done.changePassword > 0
        ? 'Your password is changed, and you are signed out everywhere else'
        : 'Your password is changed',
    );
  };
  const isWrong = fault?.reason === 'PASSWORD_WRONG';
  const isEasyToGuess = fault?.reason === 'PASSWORD_EASY_TO_GUESS';
  return (
    <Card title="Password">
      <Form
        key={changes}
        label="Change your password"
        onSubmit={save}
        fault={isWrong || isEasyToGuess ? undefined : fault}
        className="settings-form"
      >
        {/* For password managers, which keep a password with a name. */}
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
          hint="Whoever knew the old one is out, too."
          defaultChecked
        />
        <FormButtons>
          {sendsMail && (
            <LinkButton href={forgot} kind="quiet">
              Forgot your password?
            </LinkButton>
          )}
          <Button type="submit" kind="primary" busy={busy}>
            Change the password
          </Button>
        </FormButtons>
      </Form>
    </Card>
  );
}
