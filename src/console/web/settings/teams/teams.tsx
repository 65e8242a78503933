import { Link, useLocation } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
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
      <PageHead
        title="Teams"
        lead="Assistants can be shared with a team. New members join the default team automatically."
        actions={<CreateTeam />}
      />
      <Card>
        <Loaded answer={answer}>
          {({ teams: { nodes } }) => (
            <Table
              caption="Teams"
              rows={nodes}
              columns={[
                {
                  title: 'Team',
                  cell: ({ id, name, isDefault }) => (
                    <span>
                      <Link href={`/teams/${id}`}>{name}</Link>{' '}
                      {isDefault && <Badge>Default</Badge>}
                    </span>
                  ),
                },
                {
                  title: 'Members',
                  cell: ({ memberCount }) => memberCount.toLocaleString(),
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
      label="Create team"
      title="Create team"
      action={create}
      onSubmit={submit}
      submit="Create"
    >
      <NameField />
    </FormDialog>
  );
}
