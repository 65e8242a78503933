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
import { InvitationLink, type SentInvitation } from './invitation-link.tsx';
import { parseRole, roleOptions } from './roles.ts';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { data: teamNames } = useGraphQuery(TeamNamesDocument, {});
  const { run, busy, fault } = useGraphMutation(InviteMemberDocument, {
    invalidates: ['Invitation'],
  });
  const [sent, setSent] = useState<SentInvitation>();
  const teams = (teamNames?.teams ?? [])
    .filter(({ isDefault }) => !isDefault)
    .map(({ id, name }) => ({ value: id, label: name }));

  const invite = async (data: FormData) => {
    const result = await run({
      email: textFieldValue(data, 'email'),
      role: parseRole(data),
      teamId: textFieldValue(data, 'teamId') || null,
    });
    if (result) setSent(result.sent);
  };

  if (sent) return <InvitationLink sent={sent} onClose={onClose} />;
  return (
    <Dialog title="Invite member" open onClose={onClose}>
      <Form label="Invite member" onSubmit={invite} fault={fault}>
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
          hint="An administrator has the same permissions as you."
        />
        {teams.length > 0 && (
          <SelectField
            label="Team"
            name="teamId"
            options={[{ value: '', label: 'Default team only' }, ...teams]}
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
