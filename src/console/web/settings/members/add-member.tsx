import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { AddMemberDocument } from './documents.ts';

/** For somebody who has an account already: no invitation is needed. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const { run, busy, fault } = useGraphMutation(AddMemberDocument, {
    invalidates: ['User', 'Organization', 'Team'],
  });
  const toast = useToast();
  const add = async (data: FormData) => {
    const done = await run({ email: textFieldValue(data, 'email') });
    if (!done) return;
    toast(`${done.addUser.email} is a member now`);
    onClose();
  };
  const told =
    fault?.code === 'NOT_FOUND'
      ? { ...fault, message: 'There is no account with this address. Invite the person instead.' }
      : fault;
  return (
    <Dialog title="Add an account" open onClose={onClose}>
      <Form label="Add an account" onSubmit={add} fault={told}>
        <p>Who has an account already becomes a member at once.</p>
        <TextField label="E-mail address" name="email" type="email" required autoComplete="off" />
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Add
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
