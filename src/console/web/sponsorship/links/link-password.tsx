import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SetLinkPasswordDocument } from '../documents.ts';
import type { LinkRow } from './link-row.ts';

/** Sets, changes or removes the password of a link. The current password cannot be read. */
export function LinkPassword({ link: { id, name, hasPassword } }: { link: LinkRow }) {
  const [isOpen, setOpen] = useState(false);
  const { run, busy, fault, clear } = useGraphMutation(SetLinkPasswordDocument);
  const toast = useToast();
  const close = () => {
    clear();
    setOpen(false);
  };
  const setPassword = async (password: string | null) => {
    if (!(await run({ linkId: id, password }))) return;
    toast(password === null ? 'The password was removed' : 'The password was set');
    setOpen(false);
  };
  const save = (data: FormData) => {
    const password = data.get('password');
    return setPassword(typeof password === 'string' ? password : '');
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Password<span className="sr-only"> of {name}</span>
      </Button>
      <Dialog title="Link password" open={isOpen} onClose={close}>
        <p>
          {hasPassword
            ? `“${name}” has a password. Set a new one, or remove it.`
            : `“${name}” has no password.`}
        </p>
        <Form onSubmit={save} fault={fault} label="Link password">
          <PasswordField
            label="New password"
            name="password"
            required
            minLength={4}
            maxLength={200}
            autoComplete="new-password"
          />
          <FormButtons>
            {hasPassword && (
              <Button kind="danger" busy={busy} onClick={() => setPassword(null)}>
                Remove password
              </Button>
            )}
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Set password
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
    </>
  );
}
