import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { RemoveTeamMemberDocument, type TeamQuery } from './documents.ts';

type TeamMembersProps = { team: TeamQuery['team']; page: number; onPage: (page: number) => void };
type TeamMember = TeamQuery['team']['users']['items'][number];

export function TeamMembers({ team: { id: teamId, name, users }, page, onPage }: TeamMembersProps) {
  const { run, busy, fault } = useGraphMutation(RemoveTeamMemberDocument, {
    invalidates: ['Team', 'User'],
  });
  const toast = useToast();
  const remove = async (person: TeamMember) => {
    if (await run({ teamId, userId: person.id }))
      toast(`${displayName(person)} was removed from “${name}”`);
  };
  if (users.total === 0) return <EmptyState title="No members yet" />;
  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Table
        caption={`Members of ${name}`}
        rows={users.items}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: (person) => <strong>{displayName(person)}</strong> },
          { title: 'Address', cell: ({ email }) => email, narrow: 'hide' },
          {
            title: 'Actions',
            align: 'end',
            cell: (person) => (
              <Button busy={busy} onClick={() => remove(person)}>
                Remove<span className="sr-only"> {displayName(person)}</span>
              </Button>
            ),
          },
        ]}
      />
      <Pager page={page} pageSize={users.pageSize} total={users.total} onPage={onPage} />
    </>
  );
}
