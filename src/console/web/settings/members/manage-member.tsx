import { useLocation } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, DialogButton } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { displayName } from '../../ui/labels.ts';
import { FaultNote } from '../../ui/status.tsx';
import { KeysOfAdministratorDocument, TakeOverKeyDocument } from '../keys/documents.ts';
import { type MembersQuery, RemoveMemberDocument, SetMemberRoleDocument } from './documents.ts';
import { parseRole, roleOptions } from './invite-member.tsx';
import { OwnKeys } from './own-keys.tsx';

type MemberProps = { user: MembersQuery['users']['nodes'][number] };
type MemberFormProps = MemberProps & { onDone: () => void };

/** A dialog where an administrator changes the role of a member or removes them. */
export const ManageMember = ({ user }: MemberProps) => (
  <DialogButton label={t('members.manage')} subject={displayName(user)} title={displayName(user)}>
    {(close) => (
      <>
        <ChangeRole user={user} onDone={close} />
        <KeysOfAdministrator user={user} />
        <RemoveMember user={user} onDone={close} />
      </>
    )}
  </DialogButton>
);

function ChangeRole({ user, onDone }: MemberFormProps) {
  const isSelf = user.id === useViewer().person.id;
  const { refetch } = useSession();
  const { run, busy, fault } = useGraphMutation(SetMemberRoleDocument, {
    invalidates: ['User', 'ApiKey'],
    success: (_, { role }) => t('members.roleChanged', { name: displayName(user), role }),
  });
  const [, go] = useLocation();
  const save = async (data: FormData) => {
    const role = parseRole(data);
    if (!(await run({ userId: user.id, role }))) return;
    onDone();
    // This person can no longer open the pages for administrators.
    if (isSelf && role === 'MEMBER') {
      go('/');
      refetch();
    }
  };
  return (
    <Form
      label={t('members.changeRole')}
      onSubmit={save}
      action={{ busy, fault }}
      submit={t('members.saveRole')}
    >
      <SelectField
        label={t('members.role')}
        name="role"
        options={roleOptions()}
        defaultValue={user.isAdmin ? 'ADMIN' : 'MEMBER'}
        hint={isSelf ? t('members.selfHint') : t('members.administratorHint')}
      />
    </Form>
  );
}

/**
 * The organization keys that are revoked when this person stops being an administrator. A button
 * keeps a key by taking it over.
 */
function KeysOfAdministrator({ user }: MemberProps) {
  const { person } = useViewer();
  const { data } = useGraphQuery(
    KeysOfAdministratorDocument,
    { responsibleId: user.id },
    { typenames: ['ApiKey'] },
  );
  const keys = data?.apiKeys.nodes ?? [];
  if (user.id === person.id) return <OwnKeys />;
  if (keys.length === 0) return null;
  return (
    <section className="settings-section">
      <h3>{t('members.keysOf', { name: displayName(user) })}</h3>
      <p className="quiet">{t('members.keysOfHint', { name: displayName(user) })}</p>
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            {key.name} <KeepKey {...key} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function KeepKey({ id, name }: { id: string; name: string }) {
  const { run, busy, fault } = useGraphMutation(TakeOverKeyDocument, {
    invalidates: ['ApiKey'],
    success: t('members.nowResponsible', { name }),
  });
  return (
    <>
      <Button subject={name} busy={busy} onClick={() => run({ id })}>
        {t('members.keep')}
      </Button>
      <FaultNote fault={fault} />
    </>
  );
}

function RemoveMember({ user, onDone }: MemberFormProps) {
  const name = displayName(user);
  const { run, busy, fault } = useGraphMutation(RemoveMemberDocument, {
    invalidates: ['User', 'Organization', 'Team'],
    success: t('members.noLongerMember', { name }),
  });
  const remove = async () => {
    if (await run({ userId: user.id })) onDone();
  };
  return (
    <section className="settings-section">
      <h3>{t('members.removeFromOrganization')}</h3>
      {user.isAdmin ? (
        <p className="quiet">{t('members.cannotRemoveAdministrator')}</p>
      ) : (
        <>
          <p className="quiet">{t('members.removeHint', { name })}</p>
          <ConfirmButton
            label={t('members.remove')}
            title={t('members.removeQuestion', { name })}
            question={t('members.removeNeedsInvitation')}
            confirmLabel={t('members.remove')}
            onConfirm={remove}
            action={{ busy, fault }}
          />
        </>
      )}
    </section>
  );
}
