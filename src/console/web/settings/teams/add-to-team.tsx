import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { AddTeamMemberDocument, FindMembersDocument, type FindMembersQuery } from './documents.ts';

type FoundMember = FindMembersQuery['users']['items'][number];

/** Searches the members of the organization and adds them to the team. */
export function AddToTeam({ teamId }: { teamId: string }) {
  const [search, setSearch] = useState('');
  const answer = useGraphQuery(
    FindMembersDocument,
    { search },
    { pause: search === '', typenames: ['User'] },
  );
  const { run, busy, fault } = useGraphMutation(AddTeamMemberDocument, {
    invalidates: ['Team', 'User'],
  });
  const toast = useToast();
  const add = async (person: FoundMember) => {
    if (await run({ teamId, userId: person.id }))
      toast(`${displayName(person)} was added to the team`);
  };
  return (
    <>
      <search className="toolbar settings-search">
        <SearchField label="Add member by name or address" onSearch={setSearch} />
      </search>
      {fault && <FaultNote fault={fault} />}
      {search !== '' && (
        <Loaded answer={answer} lines={2}>
          {({ users: { items } }) => (
            <ul className="settings-list" aria-label="Matching members">
              {items.length === 0 && (
                <li className="quiet">
                  No matching members. Invite people who are not members yet first.
                </li>
              )}
              {items.map((person) => (
                <li key={person.id}>
                  <span>
                    {displayName(person)} <span className="quiet">{person.email}</span>
                  </span>
                  {person.teams.some(({ id }) => id === teamId) ? (
                    <span className="quiet">In the team</span>
                  ) : (
                    <Button busy={busy} onClick={() => add(person)}>
                      Add<span className="sr-only"> {displayName(person)}</span>
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </>
  );
}
