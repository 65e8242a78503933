import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useViewer } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { type ApiKeyFieldsFragment, RevokeKeyDocument } from './documents.ts';
import { EditLimit } from './edit-limit.tsx';

export function KeyTable({ caption, keys }: { caption: string; keys: ApiKeyFieldsFragment[] }) {
  const { isAdmin } = useViewer();
  const { run, fault } = useGraphMutation(RevokeKeyDocument);
  const toast = useToast();
  const revoke = async ({ id, name }: ApiKeyFieldsFragment) => {
    if (await run({ id })) toast(`“${name}” was revoked`);
  };
  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Table
        caption={caption}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Key',
            cell: ({ name, prefix, lastFour }) => (
              <div>
                <strong>{name}</strong>
                <div className="quiet">
                  <code>
                    {prefix}…{lastFour}
                  </code>
                </div>
              </div>
            ),
          },
          { title: 'State', cell: (key) => <KeyState {...key} /> },
          ...(keys.some(({ responsible }) => responsible)
            ? [
                {
                  title: 'Responsible',
                  cell: ({ responsible }: ApiKeyFieldsFragment) =>
                    responsible ? displayName(responsible) : <span className="quiet">Nobody</span>,
                },
              ]
            : []),
          {
            title: 'Requests per minute',
            cell: ({ limitPerMinute, limitPerMinuteMax }) =>
              (limitPerMinute ?? limitPerMinuteMax).toLocaleString('en'),
          },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'hide' },
          {
            title: 'Last used',
            cell: ({ lastUsedAt }) =>
              lastUsedAt ? (
                <Time at={lastUsedAt} style="ago" />
              ) : (
                <span className="quiet">Never</span>
              ),
          },
          {
            title: 'Actions',
            align: 'end',
            cell: (key) =>
              isInvalid(key) ? null : (
                <div className="row-actions">
                  {isAdmin && <EditLimit {...key} />}
                  <ConfirmButton
                    label={
                      <>
                        Revoke<span className="sr-only"> {key.name}</span>
                      </>
                    }
                    title="Revoke this key?"
                    question={`Programs that use “${key.name}” lose access immediately. This cannot be undone.`}
                    confirmLabel="Revoke"
                    onConfirm={() => revoke(key)}
                  />
                </div>
              ),
          },
        ]}
      />
    </>
  );
}

const isInvalid = ({
  revokedAt,
  expiresAt,
}: Pick<ApiKeyFieldsFragment, 'revokedAt' | 'expiresAt'>) =>
  Boolean(revokedAt) || (Boolean(expiresAt) && new Date(expiresAt ?? 0) <= new Date());

function KeyState({ revokedAt, expiresAt }: ApiKeyFieldsFragment) {
  if (revokedAt) {
    return (
      <>
        <Badge>Revoked</Badge> <Time at={revokedAt} />
      </>
    );
  }
  if (!expiresAt) return <Badge tone="good">Active</Badge>;
  const isExpired = new Date(expiresAt) <= new Date();
  return (
    <span>
      <Badge tone={isExpired ? 'plain' : 'good'}>{isExpired ? 'Expired' : 'Active'}</Badge>{' '}
      <span className="quiet">
        {isExpired ? '' : 'until '}
        <Time at={expiresAt} />
      </span>
    </span>
  );
}
