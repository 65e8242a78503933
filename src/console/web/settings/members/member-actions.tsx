import { useAction } from '../../graph/use-action.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf } from '../name-of.ts';
import { RemoveMemberDocument, SetMemberRoleDocument } from './documents.ts';

type MemberActionsProps = { user: { id: string; firstName: string; lastName: string; email: string; isAdmin: boolean } };

/** What an administrator can do with a member. Who is an administrator has to be made a member before they can be removed. */
export function MemberActions({ user }: MemberActionsProps) {
  const { person } = useViewer();
  const { again } = useSession();
  const setRole = useAction(SetMemberRoleDocument, { touches: ['User'] });
  const remove = useAction(RemoveMemberDocument, { touches: ['User', 'Organization', 'Team'] });
  const toast = useToast();
  const name = nameOf(user);
  const isSelf = user.id === person.id;
  const fault = setRole.fault ?? remove.fault;

  const changeRole = async () => {
    if (!(await setRole.run({ userId: user.id, role: user.isAdmin ? 'MEMBER' : 'ADMIN' }))) return;
    toast(user.isAdmin ? `${name} is a member now` : `${name} is an administrator now`);
    if (isSelf) again();
  };
  const removeMember = async () => {
    if (await remove.run({ userId: user.id })) toast(`${name} is no longer a member`);
  };

  return (
    <>
      <div className="row-actions">
        <ConfirmButton
          kind="plain"
          title={user.isAdmin ? 'Make this administrator a member?' : 'Make this member an administrator?'}
          label={
            <>
              {user.isAdmin ? 'Make member' : 'Make administrator'}
              <span className="for-readers">: {name}</span>
            </>
          }
          question={user.isAdmin ? loss(isSelf ? 'You lose' : `${name} loses`) : gain(name)}
          confirmLabel={user.isAdmin ? 'Make member' : 'Make administrator'}
          onConfirm={changeRole}
        />
        {!user.isAdmin && (
          <ConfirmButton
            title="Remove this member?"
            label={
              <>
                Remove<span className="for-readers"> {name}</span>
              </>
            }
            question={`${name} leaves all teams, and their keys in this organization stop working. The account itself stays.`}
            confirmLabel="Remove"
            onConfirm={removeMember}
          />
        )}
      </div>
      {fault && <FaultNote fault={fault} />}
    </>
  );
}

const loss = (who: string) => `${who} the settings of the organization: its members, keys, teams and audit log.`;
const gain = (name: string) => `${name} can then do all that you can do here: invite and remove people, make keys, and read the audit log.`;
