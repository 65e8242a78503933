import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { LeaveOrganizationDocument } from './documents.ts';

/** The organizations of a person, each with a button to leave it. */
export function MyOrganizations() {
  const { organization: currentOrganization, memberships } = useViewer();
  const { refetch, choose } = useSession();
  const { run, fault } = useGraphMutation(LeaveOrganizationDocument);
  const toast = useToast();

  const leave = async ({ id, name }: { id: string; name: string }) => {
    if (!(await run({ organizationId: id }))) return;
    if (id === currentOrganization?.id) return choose(null);
    refetch();
    toast(`You left ${name}`);
  };

  return (
    <Card title="Your organizations">
      {fault && <FaultNote fault={fault} />}
      {memberships.length === 0 ? (
        <p className="quiet">
          You are not in an organization yet. An administrator can invite you, or a sponsored link
          creates one for you.
        </p>
      ) : (
        <ul className="settings-organizations">
          {memberships.map(({ organization, isAdmin, isAccepted }) => (
            <li key={organization.id}>
              <span>
                {organization.name}{' '}
                <span className="quiet">{isAdmin ? 'as an administrator' : 'as a member'}</span>{' '}
                {!isAccepted && <Badge tone="busy">Added you, not accepted</Badge>}
              </span>
              <ConfirmButton
                label={
                  <>
                    Leave<span className="sr-only"> {organization.name}</span>
                  </>
                }
                title={`Leave ${organization.name}?`}
                question="You lose access to everything in this organization, and your keys for it stop working. Only an administrator of the organization can bring you back."
                confirmLabel="Leave"
                onConfirm={() => leave(organization)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
