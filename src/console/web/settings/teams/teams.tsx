import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Table } from '../../ui/table.tsx';
import { CreateTeam } from './create-team.tsx';
import { TeamsDocument } from './documents.ts';

export function Teams() {
  const [isCreating, setCreating] = useState(false);
  const answer = useGraphQuery(TeamsDocument, {}, { typenames: ['Team'] });
  return (
    <>
      <PageHead
        title="Teams"
        lead="Assistants can be shared with a team. New members join the default team automatically."
        actions={
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            Create team
          </Button>
        }
      />
      <Card>
        <Loaded answer={answer}>
          {({ teams }) => (
            <Table
              caption="Teams"
              rows={teams}
              keyOf={({ id }) => id}
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
      {isCreating && <CreateTeam onClose={() => setCreating(false)} />}
    </>
  );
}
