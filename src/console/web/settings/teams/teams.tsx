import { Link, useLocation } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { NameField } from '../../ui/fields.tsx';
import { fieldText } from '../../ui/form.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, Loaded } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { CreateTeamDocument, TeamsDocument } from './documents.ts';

export function Teams() {
  const answer = useGraphQuery(TeamsDocument, {}, { typenames: ['Team'] });
  return (
    <>
      <PageHead title={t('teams.teams')} lead={t('teams.teamsLead')} actions={<CreateTeam />} />
      <Card>
        <Loaded answer={answer}>
          {({ teams: { nodes } }) => (
            <Table
              caption={t('teams.teams')}
              rows={nodes}
              columns={[
                {
                  title: t('teams.team'),
                  cell: ({ id, name, isDefault }) => (
                    <span>
                      <Link href={`/teams/${id}`}>{name}</Link>{' '}
                      {isDefault && <Badge>{t('teams.default')}</Badge>}
                    </span>
                  ),
                },
                {
                  title: t('teams.members'),
                  cell: ({ memberCount }) => formatNumber(memberCount),
                  align: 'end',
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
    </>
  );
}

function CreateTeam() {
  const create = useGraphMutation(CreateTeamDocument, { invalidates: ['Team'] });
  const [, go] = useLocation();
  const submit = async (data: FormData) => {
    const result = await create.run({ name: fieldText(data, 'name') });
    if (result) go(`/teams/${result.createTeam.team.id}`);
  };
  return (
    <FormDialog
      icon="plus"
      kind="primary"
      label={t('teams.createTeam')}
      title={t('teams.createTeam')}
      action={create}
      onSubmit={submit}
      submit={t('teams.create')}
    >
      <NameField />
    </FormDialog>
  );
}
