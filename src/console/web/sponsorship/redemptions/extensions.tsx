import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { ExtensionsDocument } from '../documents.ts';
import { UtcDate, UtcDateTime } from '../utc-date.tsx';
import { actorName } from './actor-name.ts';

type RecordedExtension = { from: string | null; to: string | null; reason: string | null };

/** Every extension, from the audit log. */
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
            <EmptyState title="No extensions yet" />
          ) : (
            <>
              <Table
                caption="Extensions"
                rows={items.map((entry) => ({ ...entry, ...parseExtension(entry.changes) }))}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Date', cell: ({ at }) => <UtcDateTime at={at} /> },
                  { title: 'From', cell: ({ from }) => from && <UtcDate at={from} /> },
                  { title: 'To', cell: ({ to }) => to && <UtcDate at={to} /> },
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

/**
 * The dates of an extension in the audit log. Entries of other versions of Atrium may lack them.
 */
function parseExtension(changes: unknown): RecordedExtension {
  const {
    sponsoredUntil,
    extensionReason,
  }: { sponsoredUntil?: unknown; extensionReason?: unknown } = Object(changes);
  const { from, to }: { from?: unknown; to?: unknown } = Object(sponsoredUntil);
  return { from: textOrNull(from), to: textOrNull(to), reason: textOrNull(extensionReason) };
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
