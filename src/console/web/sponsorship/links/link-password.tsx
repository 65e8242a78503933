import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SetLinkPasswordDocument } from '../documents.ts';
import type { LinkRow } from './links-card.tsx';

/** Sets a password, sets another one, or takes it away. Nobody can read the one that is set. */
export function LinkPassword({ link: { id, name, hasPassword } }: { link: LinkRow }) {
  const [isOpen, setOpen] = useState(false);
  const { run, busy, fault, clear } = useGraphMutation(SetLinkPasswordDocument);
  const toast = useToast();
  const close = () => {
    clear();
    setOpen(false);
  };
  const set = async (password: string | null) => {
    if (!(await run({ linkId: id, password }))) return;
    toast(
      password === null
        ? 'The link asks for no password any more'
        : 'The link asks for the new password',
    );
    setOpen(false);
  };
  const save = (data: FormData) => {
    const password = data.get('password');
    return set(typeof password === 'string' ? password : '');
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Password<span className="sr-only"> of {name}</span>
      </Button>
      <Dialog title="Password of the link" open={isOpen} onClose={close}>
        <p>
          {hasPassword
            ? `“${name}” asks for a password. Set another one, or remove it.`
            : `“${name}” asks for no password.`}
        </p>
        <Form onSubmit={save} fault={fault} label="Password of the link">
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
              <Button kind="danger" busy={busy} onClick={() => set(null)}>
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
