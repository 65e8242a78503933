import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { displayName } from '../display-name.ts';
import { MembersDocument } from './documents.ts';
import { MemberActions } from './member-actions.tsx';

export function MemberList() {
  const [{ page, search }, setQuery] = useState({ page: 1, search: '' });
  const answer = useGraphQuery(
    MembersDocument,
    { page, search: search || null },
    { typenames: ['User'] },
  );
  return (
    <>
      <search className="toolbar settings-search">
        <SearchField
          label="Search by name or address"
          onSearch={(text) => setQuery({ page: 1, search: text })}
        />
      </search>
      <Loaded answer={answer} lines={6}>
        {({ users: { items, total, pageSize } }) => (
          <>
            {total === 0 && <EmptyState title="No matching members" />}
            <Table
              caption="Members"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: (user) => (
                    <div>
                      <strong>{displayName(user)}</strong>
                      <div className="quiet">{user.email}</div>
                    </div>
                  ),
                },
                {
                  title: 'Role',
                  cell: ({ isAdmin }) =>
                    isAdmin ? <Badge tone="busy">Administrator</Badge> : <Badge>Member</Badge>,
                },
                {
                  title: 'Teams',
                  cell: ({ teams }) => teams.map(({ name }) => name).join(', ') || '–',
                  narrow: 'hide',
                },
                {
                  title: 'Keys',
                  cell: ({ apiKeyCount }) => apiKeyCount,
                  align: 'end',
                  narrow: 'hide',
                },
                {
                  title: 'Last sign-in',
                  cell: ({ lastLogin }) =>
                    lastLogin ? (
                      <Time at={lastLogin} style="ago" />
                    ) : (
                      <span className="quiet">Never</span>
                    ),
                },
                { title: 'Actions', align: 'end', cell: (user) => <MemberActions user={user} /> },
              ]}
            />
            <Pager
              page={page}
              pageSize={pageSize}
              total={total}
              onPage={(next) => setQuery({ page: next, search })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
