import { useState } from 'react';
import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { AddToTeam } from './add-to-team.tsx';
import { DeleteTeamDocument, RenameTeamDocument, TeamDocument } from './documents.ts';
import { TeamMembers } from './team-members.tsx';

export function TeamPage({ teamId }: { teamId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(TeamDocument, { teamId, page }, { typenames: ['Team', 'User'] });
  return (
    <Loaded answer={answer} lines={8}>
      {({ team }) => (
        <>
          <PageHead
            title={team.name}
            back={{ href: '/teams', label: 'Teams' }}
            lead={formatMemberCount(team.memberCount)}
          />
          <Card title="Members">
            <AddToTeam teamId={team.id} />
            <TeamMembers team={team} page={page} onPage={setPage} />
          </Card>
          <TeamName teamId={team.id} name={team.name} />
          {!team.isDefault && <DeleteTeam teamId={team.id} name={team.name} />}
        </>
      )}
    </Loaded>
  );
}

const formatMemberCount = (count: number) =>
  count === 1 ? 'One member' : `${count.toLocaleString()} members`;

function TeamName({ teamId, name }: { teamId: string; name: string }) {
  const { run, busy, fault } = useGraphMutation(RenameTeamDocument);
  const toast = useToast();
  const rename = async (data: FormData) => {
    if (await run({ teamId, name: textFieldValue(data, 'name') })) toast('The team was renamed');
  };
  return (
    <Card title="Team name">
      <Form label="Rename team" onSubmit={rename} fault={fault} className="settings-form">
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          required
          maxLength={200}
          autoComplete="off"
        />
        <FormButtons>
          <Button type="submit" busy={busy}>
            Rename
          </Button>
        </FormButtons>
      </Form>
    </Card>
  );
}

function DeleteTeam({ teamId, name }: { teamId: string; name: string }) {
  const { run, fault } = useGraphMutation(DeleteTeamDocument);
  const toast = useToast();
  const [, go] = useLocation();
  const remove = async () => {
    if (!(await run({ teamId }))) return;
    toast(`The team “${name}” was deleted`);
    go('/teams');
  };
  return (
    <Card title="Delete team">
      {fault && <FaultNote fault={fault} />}
      <p>
        Its members stay in the organization. They lose access to assistants that are shared with
        the team.
      </p>
      <ConfirmButton
        label="Delete team"
        title={`Delete “${name}”?`}
        question="This cannot be undone."
        confirmLabel="Delete"
        onConfirm={remove}
      />
    </Card>
  );
}
