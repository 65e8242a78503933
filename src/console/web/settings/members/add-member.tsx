import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { AddMemberDocument } from './documents.ts';

/** Adds a person who already has an account; no invitation is needed. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const { run, busy, fault } = useGraphMutation(AddMemberDocument, {
    invalidates: ['User', 'Organization', 'Team'],
  });
  const toast = useToast();
  const add = async (data: FormData) => {
    const result = await run({ email: textFieldValue(data, 'email') });
    if (!result) return;
    toast(`${result.addUser.email} is now a member`);
    onClose();
  };
  const shownFault =
    fault?.code === 'NOT_FOUND'
      ? { ...fault, message: 'No account has this address. Invite the person instead.' }
      : fault;
  return (
    <Dialog title="Add existing account" open onClose={onClose}>
      <Form label="Add existing account" onSubmit={add} fault={shownFault}>
        <p>A person with an existing account becomes a member immediately.</p>
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
