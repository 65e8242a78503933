import { useGraphMutation } from '../graph/use-graph-mutation.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import {
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  type SecurityQuery,
} from './documents.ts';

type PersonSessions = SecurityQuery['sessions'];
const invalidates = ['Session'];

export function SecuritySessions({ sessions }: { sessions: PersonSessions }) {
  const revokeOne = useGraphMutation(RevokeSessionDocument, { invalidates });
  const revokeOthers = useGraphMutation(RevokeOtherSessionsDocument, { invalidates });
  const toast = useToast();
  const fault = revokeOne.fault ?? revokeOthers.fault;
  const signOut = async ({ id, device }: PersonSessions[number]) => {
    if (await revokeOne.run({ id })) toast(`${device} was signed out`);
  };
  const signOutOthers = async () => {
    if (await revokeOthers.run({})) toast('All other devices were signed out');
  };
  return (
    <Card
      title="Sessions"
      actions={
        sessions.length > 1 && (
          <ConfirmButton
            label="Sign out everywhere else"
            title="Sign out everywhere else?"
            question="All other browsers and devices must sign in again."
            confirmLabel="Sign out"
            onConfirm={signOutOthers}
          />
        )
      }
    >
      {fault && <FaultNote fault={fault} />}
      <Table
        caption="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Device', cell: ({ device }) => device },
          { title: 'Network address', cell: ({ address }) => address ?? 'unknown' },
          { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} style="moment" /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} style="ago" /> },
          {
            title: 'Sign out',
            align: 'end',
            cell: (session) =>
              session.isCurrent ? (
                <Badge tone="good">This browser</Badge>
              ) : (
                <Button kind="quiet" busy={revokeOne.busy} onClick={() => signOut(session)}>
                  Sign out<span className="sr-only"> {session.device}</span>
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
