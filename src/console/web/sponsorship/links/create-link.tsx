import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CreateLinkDocument } from '../documents.ts';
import { textFieldValue } from '../form-values.ts';

type Made = { name: string; url: string };

/** Makes a link and shows it at once, ready to be copied. */
export function CreateLink({ campaignId }: { campaignId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made>();
  const { run, busy, fault, clear } = useGraphMutation(CreateLinkDocument, {
    invalidates: ['Link'],
  });
  const close = () => {
    setOpen(false);
    setMade(undefined);
    clear();
  };
  const create = async (data: FormData) => {
    const password = data.get('password');
    const name = textFieldValue(data, 'name');
    const answer = await run({
      campaignId,
      ...(name === null ? {} : { name }),
      password: typeof password === 'string' && password !== '' ? password : null,
    });
    if (answer) setMade(answer.createLink);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="plus" /> New link
      </Button>
      <Dialog title={made ? 'The link is there' : 'New link'} open={isOpen} onClose={close}>
        {made ? (
          <>
            <p>Hand out “{made.name}”:</p>
            <div className="secret">
              <code>{made.url}</code>
              <CopyButton text={made.url} label="Copy link" />
            </div>
            <FormButtons>
              <Button kind="primary" onClick={close}>
                Done
              </Button>
            </FormButtons>
          </>
        ) : (
          <Form onSubmit={create} fault={fault} label="New link">
            <TextField
              label="Name"
              name="name"
              required={false}
              maxLength={200}
              hint="Only you see it. Empty: “Link 1”, “Link 2” …"
            />
            <PasswordField
              label="Password"
              name="password"
              required={false}
              minLength={4}
              maxLength={200}
              autoComplete="new-password"
              hint="Whoever opens the link must know it. It is not shown again."
            />
            <FormButtons>
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" kind="primary" busy={busy}>
                Create link
              </Button>
            </FormButtons>
          </Form>
        )}
      </Dialog>
    </>
  );
}
