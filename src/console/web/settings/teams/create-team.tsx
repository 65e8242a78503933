import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { CreateTeamDocument } from './documents.ts';

export function CreateTeam({ onClose }: { onClose: () => void }) {
  const { run, busy, fault } = useGraphMutation(CreateTeamDocument, { invalidates: ['Team'] });
  const [, go] = useLocation();
  const create = async (data: FormData) => {
    const result = await run({ name: textFieldValue(data, 'name') });
    if (result) go(`/teams/${result.createTeam.id}`);
  };
  return (
    <Dialog title="Create team" open onClose={onClose}>
      <Form label="Create team" onSubmit={create} fault={fault}>
        <TextField label="Name" name="name" required maxLength={200} autoComplete="off" />
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Create
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
