import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { InviteMemberDocument, TeamNamesDocument } from './documents.ts';
import { InvitationLink, type Sent } from './invitation-link.tsx';
import { roleIn, roleOptions } from './roles.ts';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { data: known } = useGraphQuery(TeamNamesDocument, {});
  const { run, busy, fault } = useGraphMutation(InviteMemberDocument, {
    invalidates: ['Invitation'],
  });
  const [sent, setSent] = useState<Sent>();
  const teams = (known?.teams ?? [])
    .filter(({ isDefault }) => !isDefault)
    .map(({ id, name }) => ({ value: id, label: name }));

  const invite = async (data: FormData) => {
    const done = await run({
      email: textFieldValue(data, 'email'),
      role: roleIn(data),
      teamId: textFieldValue(data, 'teamId') || null,
    });
    if (done) setSent(done.sent);
  };

  if (sent) return <InvitationLink sent={sent} onClose={onClose} />;
  return (
    <Dialog title="Invite somebody" open onClose={onClose}>
      <Form label="Invite somebody" onSubmit={invite} fault={fault}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          required
          autoComplete="off"
          hint="Only an account with this address can accept."
        />
        <SelectField
          label="Role"
          name="role"
          options={roleOptions}
          hint="An administrator can do all that you can do here."
        />
        {teams.length > 0 && (
          <SelectField
            label="Team"
            name="teamId"
            options={[{ value: '', label: 'Only the team of everybody' }, ...teams]}
          />
        )}
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Invite
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
