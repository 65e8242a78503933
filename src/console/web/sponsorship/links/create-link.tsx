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
import { readText } from '../form-values.ts';

type CreatedLink = { name: string; url: string };

/** Creates a link and shows it, ready to copy. */
export function CreateLink({ campaignId }: { campaignId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [createdLink, setCreatedLink] = useState<CreatedLink>();
  const { run, busy, fault, clear } = useGraphMutation(CreateLinkDocument, {
    invalidates: ['Link'],
  });
  const close = () => {
    setOpen(false);
    setCreatedLink(undefined);
    clear();
  };
  const create = async (data: FormData) => {
    const password = data.get('password');
    const name = readText(data, 'name');
    const answer = await run({
      campaignId,
      ...(name === null ? {} : { name }),
      password: typeof password === 'string' && password !== '' ? password : null,
    });
    if (answer) setCreatedLink(answer.createLink);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="plus" /> New link
      </Button>
      <Dialog title={createdLink ? 'Link created' : 'New link'} open={isOpen} onClose={close}>
        {createdLink ? (
          <>
            <p>Share “{createdLink.name}”:</p>
            <div className="secret">
              <code>{createdLink.url}</code>
              <CopyButton text={createdLink.url} label="Copy link" />
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
              hint="Only your organization sees it. Leave empty for “Link 1”, “Link 2” and so on."
            />
            <PasswordField
              label="Password"
              name="password"
              required={false}
              minLength={4}
              maxLength={200}
              autoComplete="new-password"
              hint="People must enter it to open the link. It is not shown again."
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
