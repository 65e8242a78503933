import { useState } from 'react';
import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import {
  type AuditEntryFieldsFragment,
  AuditLogDocument,
  type AuditTotalQueryVariables,
} from './documents.ts';
import { Entry } from './entry.tsx';
import type { AuditFilter } from './filter.ts';

type EntriesProps = {
  variables: AuditTotalQueryVariables;
  onFilter: (part: Partial<AuditFilter>) => void;
};

const pageSize = 50;

/**
 * The log, newest entry first. A button loads older entries, so a long log never needs to be
 * counted.
 */
export function Entries({ variables, onFilter }: EntriesProps) {
  const answer = useGraphQuery(AuditLogDocument, { ...variables, pageSize });
  const [older, setOlder] = useState<{
    items: readonly AuditEntryFieldsFragment[];
    isAll: boolean;
  }>({
    items: [],
    isAll: false,
  });
  const [{ busy, fault }, setState] = useState<{ busy: boolean; fault?: ApiFault }>({
    busy: false,
  });

  const showOlder = async (before: string) => {
    setState({ busy: true });
    const { data, fault: loadFault } = await queryUncached(AuditLogDocument, {
      ...variables,
      pageSize,
      before,
    });
    setState({ busy: false, ...(loadFault ? { fault: loadFault } : {}) });
    const items = data?.auditEntries.items;
    if (items)
      setOlder((shown) => ({ items: [...shown.items, ...items], isAll: items.length < pageSize }));
  };

  return (
    <Loaded answer={answer} lines={10}>
      {({ auditEntries: { items: newest } }) => {
        const entries = [...newest, ...older.items];
        const last = entries.at(-1);
        const isAll = newest.length < pageSize || older.isAll;
        if (!last) return <EmptyState title="No entries match these filters" />;
        return (
          <>
            <ol className="settings-entries" aria-label="Changes">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} onFilter={onFilter} />
              ))}
            </ol>
            {fault && <FaultNote fault={fault} />}
            {isAll ? (
              <p className="quiet">No older entries.</p>
            ) : (
              <Button busy={busy} onClick={() => showOlder(last.id)}>
                Show older entries
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
