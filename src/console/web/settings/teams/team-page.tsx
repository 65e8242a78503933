import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  type GraphQueryResult,
  partOf,
  useGraphMutation,
  useGraphQuery,
} from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { NameField, SearchField } from '../../ui/fields.tsx';
import { Form, fieldText } from '../../ui/form.tsx';
import { displayName } from '../../ui/labels.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { EmptyState, FaultNote, Loaded } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  AddTeamMemberDocument,
  DeleteTeamDocument,
  FindMembersDocument,
  RemoveTeamMemberDocument,
  RenameTeamDocument,
  TeamDocument,
  type TeamQuery,
} from './documents.ts';

const invalidates = ['Team', 'User'];

export function TeamPage({ teamId }: { teamId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(TeamDocument, { teamId, page }, { typenames: invalidates });
  return (
    <Loaded answer={answer} lines={8}>
      {({ team: { name, memberCount, isDefault } }) => (
        <>
          <PageHead
            title={name}
            back={{ href: '/teams', label: t('teams.teams') }}
            lead={t('teams.memberCount', { memberCount })}
          />
          <Card title={t('teams.members')}>
            <AddToTeam teamId={teamId} />
            <TeamMembers teamId={teamId} name={name} answer={answer} page={page} onPage={setPage} />
          </Card>
          <TeamName teamId={teamId} name={name} />
          {!isDefault && <DeleteTeam teamId={teamId} name={name} />}
        </>
      )}
    </Loaded>
  );
}

/** Searches the members of the organization and adds them to the team. */
function AddToTeam({ teamId }: { teamId: string }) {
  const [search, setSearch] = useState('');
  const answer = useGraphQuery(
    FindMembersDocument,
    { search },
    { pause: search === '', typenames: ['User'] },
  );
  const { run, busy, fault } = useGraphMutation(AddTeamMemberDocument, { invalidates });
  const toast = useToast();
  return (
    <>
      <search className="toolbar settings-search">
        <SearchField label={t('teams.addMember')} onSearch={setSearch} />
      </search>
      <FaultNote fault={fault} />
      {search !== '' && (
        <Loaded answer={answer} lines={2}>
          {({ users: { nodes } }) => (
            <ul className="plain-list settings-list" aria-label={t('teams.matchingMembers')}>
              {nodes.length === 0 && <li className="quiet">{t('teams.noMatching')}</li>}
              {nodes.map((person) => (
                <li key={person.id}>
                  <span>
                    {displayName(person)} <span className="quiet">{person.email}</span>
                  </span>
                  {person.teams.some(({ id }) => id === teamId) ? (
                    <span className="quiet">{t('teams.inTeam')}</span>
                  ) : (
                    <Button
                      subject={displayName(person)}
                      busy={busy}
                      onClick={async () =>
                        (await run({ teamId, userId: person.id })) &&
                        toast.show(t('teams.wasAdded', { person: displayName(person) }))
                      }
                    >
                      {t('teams.add')}
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

type TeamProps = { teamId: string; name: string };

function TeamMembers({
  teamId,
  name,
  answer,
  ...list
}: TeamProps & {
  answer: GraphQueryResult<TeamQuery>;
  page: number;
  onPage: (page: number) => void;
}) {
  const { run, busy, fault } = useGraphMutation(RemoveTeamMemberDocument, { invalidates });
  const toast = useToast();
  return (
    <>
      <FaultNote fault={fault} />
      <PagedTable
        caption={t('teams.membersOf', { name })}
        {...list}
        answer={partOf(answer, ({ team }) => team.users)}
        pageSize={20}
        empty={<EmptyState title={t('teams.noMembers')} />}
        columns={[
          { title: t('teams.name'), cell: (person) => <strong>{displayName(person)}</strong> },
          { title: t('teams.address'), cell: ({ email }) => email, narrow: 'hide' },
          {
            title: t('teams.actions'),
            align: 'end',
            cell: (person) => (
              <Button
                subject={displayName(person)}
                busy={busy}
                onClick={async () =>
                  (await run({ teamId, userId: person.id })) &&
                  toast.show(t('teams.wasRemoved', { person: displayName(person), name }))
                }
              >
                {t('teams.remove')}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

function TeamName({ teamId, name }: TeamProps) {
  const { run, busy, fault } = useGraphMutation(RenameTeamDocument, {
    success: t('teams.renamed'),
  });
  return (
    <Card title={t('teams.teamName')}>
      <Form
        label={t('teams.renameTeam')}
        onSubmit={(data) => run({ teamId, name: fieldText(data, 'name') })}
        action={{ busy, fault }}
        submit={t('teams.rename')}
        submitKind="plain"
        className="settings-form"
      >
        <NameField defaultValue={name} />
      </Form>
    </Card>
  );
}

function DeleteTeam({ teamId, name }: TeamProps) {
  const { run, busy, fault } = useGraphMutation(DeleteTeamDocument, {
    success: t('teams.deleted', { name }),
  });
  const [, go] = useLocation();
  const remove = async () => {
    if (await run({ teamId })) go('/teams');
  };
  return (
    <Card title={t('teams.deleteTeam')}>
      <p>{t('teams.deleteHint')}</p>
      <ConfirmButton
        label={t('teams.deleteTeam')}
        title={t('teams.deleteQuestion', { name })}
        question={t('teams.cannotBeUndone')}
        confirmLabel={t('teams.delete')}
        onConfirm={remove}
        action={{ busy, fault }}
      />
    </Card>
  );
}
