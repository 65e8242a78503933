import { type ComponentProps, useState } from 'react';
import type { GraphQueryResult } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Pager } from '../../ui/pager.tsx';
import { CreateKey } from './create-key.tsx';
import type { ApiKeyFieldsFragment } from './documents.ts';
import { KeyTable } from './key-table.tsx';

type KeysPageProps = Pick<ComponentProps<typeof CreateKey>, 'createDocument' | 'exampleCalls'> & {
  title: string;
  lead: string;
  answer: GraphQueryResult<{ total: number; pageSize: number; items: ApiKeyFieldsFragment[] }>;
  page: number;
  onPage: (page: number) => void;
};

/** A list of keys, with a dialog that creates one. */
export function KeysPage({
  title,
  lead,
  answer,
  createDocument,
  exampleCalls,
  page,
  onPage,
}: KeysPageProps) {
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      Create key
    </Button>
  );
  return (
    <>
      <PageHead title={title} lead={lead} actions={create} />
      <Card>
        <Loaded answer={answer}>
          {({ items, total, pageSize }) => (
            <>
              {total === 0 ? (
                <EmptyState title="No keys yet">
                  A key is shown once, when it is created. Create one key per program, so that you
                  can revoke each one separately.
                </EmptyState>
              ) : (
                <KeyTable caption={title} keys={items} />
              )}
              <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
            </>
          )}
        </Loaded>
      </Card>
      {isCreating && (
        <CreateKey
          createDocument={createDocument}
          exampleCalls={exampleCalls}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
