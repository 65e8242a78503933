import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { TextField } from '../../ui/text-field.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { DeleteAccountDocument, ExportAccountDocument } from './documents.ts';

/** Exports or deletes the data that Atrium stores about a person. */
export function OwnData({ email }: { email: string }) {
  return (
    <>
      <ExportCard />
      <DeleteCard email={email} />
    </>
  );
}

function ExportCard() {
  const { run, busy, fault, clear } = useGraphMutation(ExportAccountDocument);
  const save = async () => {
    const result = await run({});
    if (result)
      saveFile('atrium-account.json', 'application/json', [
        JSON.stringify(result.exportAccount, null, 2),
      ]);
  };
  return (
    <Card title="Your data">
      <p>
        A file with your account, your organizations, teams and keys, your sessions, and your
        changes. It contains no secrets.
      </p>
      {fault && !isNotRecent(fault) && <FaultNote fault={fault} />}
      <Button busy={busy} onClick={save}>
        <Icon name="download" /> Export data
      </Button>
      <ConfirmPassword fault={fault} onConfirmed={save} onClose={clear} />
    </Card>
  );
}

function DeleteCard({ email }: { email: string }) {
  const { run, busy, fault, clear } = useGraphMutation(DeleteAccountDocument);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = async (address: string) => {
    setTyped(address);
    // The session no longer exists, so the page is loaded again.
    if (await run({ email: address })) location.assign('/auth');
  };
  return (
    <Card title="Delete your account">
      <p>
        You lose access to every organization immediately, and your keys stop working. This cannot
        be undone.
      </p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog
        title="Delete your account?"
        open={isOpen && !isNotRecent(fault)}
        onClose={() => setOpen(false)}
      >
        <Form
          label="Delete your account"
          onSubmit={(data) => remove(textFieldValue(data, 'email'))}
          fault={fault}
        >
          <p>
            Organizations keep the content that you created, and their audit logs keep your actions
            without your name. A partner who sponsored a workspace for you keeps your address for
            billing.
          </p>
          <TextField
            label={`Type ${email} to confirm`}
            name="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <FormButtons>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" kind="danger" busy={busy}>
              Delete account
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
      <ConfirmPassword fault={fault} onConfirmed={() => remove(typed)} onClose={clear} />
    </Card>
  );
}
