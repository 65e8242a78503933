import { useLocation } from 'wouter';
import { useAction } from '../../graph/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { textIn } from '../text-in.ts';
import { CreateTeamDocument } from './documents.ts';

export function CreateTeam({ onClose }: { onClose: () => void }) {
  const { run, busy, fault } = useAction(CreateTeamDocument, { touches: ['Team'] });
  const [, go] = useLocation();
  const create = async (data: FormData) => {
    const done = await run({ name: textIn(data, 'name') });
    if (done) go(`/teams/${done.createTeam.id}`);
  };
  return (
    <Dialog title="Create a team" open onClose={onClose}>
      <Form label="Create a team" onSubmit={create} fault={fault}>
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
