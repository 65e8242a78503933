import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { AddMemberDocument, InviteMemberDocument, TeamNamesDocument } from './documents.ts';

export const roleOptions = () => [
  { value: 'MEMBER', label: t('members.member') },
  { value: 'ADMIN', label: t('members.administrator') },
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
    }) => t('members.isNowMember', { email }),
  });
  const fault =
    add.fault?.code === 'NOT_FOUND'
      ? { ...add.fault, message: t('members.noSuchAccount') }
      : add.fault;
  return (
    <FormDialog
      icon="user"
      label={t('members.addAccount')}
      title={t('members.addAccount')}
      action={{ ...add, fault }}
      onSubmit={(data) => add.run({ email: fieldText(data, 'email') })}
      submit={t('members.add')}
    >
      <p>{t('members.addAccountHint')}</p>
      <TextField
        label={t('members.emailAddress')}
        name="email"
        type="email"
        required
        autoComplete="off"
      />
    </FormDialog>
  );
}

/** The teams that a person can join besides the default team. */
export function useTeamOptions() {
  const { data } = useGraphQuery(TeamNamesDocument, {});
  return (data?.teams.nodes ?? [])
    .filter(({ isDefault }) => !isDefault)
    .map(({ id, name }) => ({ value: id, label: name }));
}

export function InviteMember() {
  const teams = useTeamOptions();
  const invite = useGraphMutation(InviteMemberDocument, { invalidates: ['Invitation'] });
  const [sent, setSent] = useState<SentInvitation>();
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
      label={t('members.invite')}
      title={sent ? t('members.invitationCreated') : t('members.inviteMember')}
      action={invite}
      onSubmit={submit}
      submit={t('members.invite')}
      onClose={() => setSent(undefined)}
      result={sent && ((close) => <SentLink sent={sent} onClose={close} />)}
    >
      <TextField
        label={t('members.emailAddress')}
        name="email"
        type="email"
        required
        autoComplete="off"
        hint={t('members.onlyThisAddress')}
      />
      <SelectField
        label={t('members.role')}
        name="role"
        options={roleOptions()}
        hint={t('members.administratorHint')}
      />
      {teams.length > 0 && (
        <SelectField
          label={t('members.team')}
          name="teamId"
          options={[{ value: '', label: t('members.defaultTeamOnly') }, ...teams]}
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
        ? t('members.linkMailed', { email: invitation.email })
        : t('members.linkNotMailed', { email: invitation.email })}
    </p>
    <OneTimeSecret label={t('members.link')} secret={link} onDone={onClose}>
      <p className="quiet">{t('members.linkWorksOnce')}</p>
    </OneTimeSecret>
  </>
);

export const InvitationLink = (props: SentLinkProps) => (
  <Dialog title={t('members.invitationCreated')} open onClose={props.onClose}>
    <SentLink {...props} />
  </Dialog>
);
