import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { Day, Moment } from '../day.tsx';
import { ExtensionsDocument } from '../documents.ts';
import { actorName } from './actor-name.ts';

type Extension = { from: string | null; to: string | null; reason: string | null };

/** Every extension, as the audit log tells it. */
export function Extensions({ redemptionId }: { redemptionId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    ExtensionsDocument,
    { redemptionId, page },
    { typenames: ['Redemption'] },
  );
  return (
    <Card title="Extensions">
      <Loaded answer={answer} lines={2}>
        {({ auditEntries: { items, total } }) =>
          total === 0 ? (
            <EmptyState title="It has not been extended" />
          ) : (
            <>
              <Table
                caption="Extensions"
                rows={items.map((entry) => ({ ...entry, ...extensionIn(entry.changes) }))}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'When', cell: ({ at }) => <Moment at={at} /> },
                  { title: 'From', cell: ({ from }) => from && <Day at={from} /> },
                  { title: 'To', cell: ({ to }) => to && <Day at={to} /> },
                  { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
                  { title: 'By', cell: actorName },
                ]}
              />
              <Pager page={page} pageSize={10} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** What the log keeps of an extension; other versions of Atrium may have kept something else. */
function extensionIn(changes: unknown): Extension {
  const {
    sponsoredUntil,
    extensionReason,
  }: { sponsoredUntil?: unknown; extensionReason?: unknown } = Object(changes);
  const { from, to }: { from?: unknown; to?: unknown } = Object(sponsoredUntil);
  return { from: textOr(from), to: textOr(to), reason: textOr(extensionReason) };
}

const textOr = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
