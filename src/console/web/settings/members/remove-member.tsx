import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { RemoveMemberDocument } from './documents.ts';
import type { OrganizationMember } from './organization-member.ts';

export function RemoveMember({ user, onDone }: { user: OrganizationMember; onDone: () => void }) {
  const { run, fault } = useGraphMutation(RemoveMemberDocument, {
    invalidates: ['User', 'Organization', 'Team'],
  });
  const toast = useToast();
  const name = displayName(user);
  const remove = async () => {
    if (!(await run({ userId: user.id }))) return;
    toast(`${name} is no longer a member`);
    onDone();
  };
  return (
    <section className="settings-section">
      <h3>Remove from the organization</h3>
      {user.isAdmin ? (
        <p className="quiet">
          An administrator cannot be removed. Change the role to member first.
        </p>
      ) : (
        <>
          <p className="quiet">
            {name} leaves all teams, and their keys in this organization stop working. The account
            itself is not deleted.
          </p>
          {fault && <FaultNote fault={fault} />}
          <ConfirmButton
            label="Remove"
            title={`Remove ${name}?`}
            question="They need a new invitation to come back."
            confirmLabel="Remove"
            onConfirm={remove}
          />
        </>
      )}
    </section>
  );
}
