import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { AddMemberDocument, InviteMemberDocument, TeamNamesDocument } from './documents.ts';

export const roleOptions = [
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Administrator' },
];

export const parseRole = (data: FormData): 'ADMIN' | 'MEMBER' =>
  fieldText(data, 'role') === 'ADMIN' ? 'ADMIN' : 'MEMBER';

/** Adds a person who already has an account; no invitation is needed. */
export function AddMember() {
  const add = useGraphMutation(AddMemberDocument, {
    invalidates: ['User', 'Organization', 'Team'],
    success: ({
      addUser: {
        user: { email },
      },
    }) => `${email} is now a member`,
  });
  const fault =
    add.fault?.code === 'NOT_FOUND'
      ? { ...add.fault, message: 'No account has this address. Invite the person instead.' }
      : add.fault;
  return (
    <FormDialog
      icon="user"
      label="Add existing account"
      title="Add existing account"
      action={{ ...add, fault }}
      onSubmit={(data) => add.run({ email: fieldText(data, 'email') })}
      submit="Add"
    >
      <p>A person with an existing account becomes a member immediately.</p>
      <TextField label="E-mail address" name="email" type="email" required autoComplete="off" />
    </FormDialog>
  );
}

export function InviteMember() {
  const { data: teamNames } = useGraphQuery(TeamNamesDocument, {});
  const invite = useGraphMutation(InviteMemberDocument, { invalidates: ['Invitation'] });
  const [sent, setSent] = useState<SentInvitation>();
  const teams = (teamNames?.teams.nodes ?? [])
    .filter(({ isDefault }) => !isDefault)
    .map(({ id, name }) => ({ value: id, label: name }));
  const submit = async (data: FormData) => {
    const result = await invite.run({
      email: fieldText(data, 'email'),
      role: parseRole(data),
      teamId: fieldText(data, 'teamId') || null,
    });
    setSent(result?.sent);
  };
  return (
    <FormDialog
      icon="plus"
      kind="primary"
      label="Invite"
      title={sent ? 'Invitation created' : 'Invite member'}
      action={invite}
      onSubmit={submit}
      submit="Invite"
      onClose={() => setSent(undefined)}
      result={sent && ((close) => <SentLink sent={sent} onClose={close} />)}
    >
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
    </FormDialog>
  );
}

export type SentInvitation = { link: string; isMailed: boolean; invitation: { email: string } };
type SentLinkProps = { sent: SentInvitation; onClose: () => void };

/** Shows the link of an invitation once, right after it was created. */
const SentLink = ({ sent: { link, isMailed, invitation }, onClose }: SentLinkProps) => (
  <>
    <p>
      {isMailed
        ? `We sent this link to ${invitation.email}. You can also pass it on yourself.`
        : `This server cannot send e-mail. Send this link to ${invitation.email} yourself.`}
    </p>
    <OneTimeSecret label="Link" secret={link} onDone={onClose}>
      <p className="quiet">It works once and is valid for seven days.</p>
    </OneTimeSecret>
  </>
);

export const InvitationLink = (props: SentLinkProps) => (
  <Dialog title="Invitation created" open onClose={props.onClose}>
    <SentLink {...props} />
  </Dialog>
);
