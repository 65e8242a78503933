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

type Sessions = SecurityQuery['sessions'];
const invalidates = ['Session'];

export function SecuritySessions({ sessions }: { sessions: Sessions }) {
  const one = useGraphMutation(RevokeSessionDocument, { invalidates });
  const others = useGraphMutation(RevokeOtherSessionsDocument, { invalidates });
  const toast = useToast();
  const fault = one.fault ?? others.fault;
  const end = async ({ id, device }: Sessions[number]) => {
    if (await one.run({ id })) toast(`${device} is signed out`);
  };
  const endOthers = async () => {
    if (await others.run({})) toast('You are signed out everywhere else');
  };
  return (
    <Card
      title="Where you are signed in"
      actions={
        sessions.length > 1 && (
          <ConfirmButton
            label="Sign out everywhere else"
            title="Sign out everywhere else?"
            question="Every other browser and device has to sign in again."
            confirmLabel="Sign out"
            onConfirm={endOthers}
          />
        )
      }
    >
      {fault && <FaultNote fault={fault} />}
      <Table
        caption="Where you are signed in"
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
                <Button kind="quiet" busy={one.busy} onClick={() => end(session)}>
                  Sign out<span className="sr-only"> {session.device}</span>
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
