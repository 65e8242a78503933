import { type ComponentProps, useState } from 'react';
import type { Answer } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Pager } from '../../ui/pager.tsx';
import { CreateKey } from './create-key.tsx';
import type { KeyPartsFragment } from './documents.ts';
import { KeyTable } from './key-table.tsx';

type KeysPageProps = Pick<ComponentProps<typeof CreateKey>, 'createDocument' | 'tries'> & {
  title: string;
  lead: string;
  answer: Answer<{ total: number; pageSize: number; items: KeyPartsFragment[] }>;
  page: number;
  onPage: (page: number) => void;
};

/** Somebody's keys, and the making of a new one. */
export function KeysPage({
  title,
  lead,
  answer,
  createDocument,
  tries,
  page,
  onPage,
}: KeysPageProps) {
  const [isMaking, setMaking] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      Create a key
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
                <EmptyState title="There is no key yet">
                  A key is shown once, when it is made. Give each program its own, so that each can
                  be revoked alone.
                </EmptyState>
              ) : (
                <KeyTable caption={title} keys={items} />
              )}
              <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
            </>
          )}
        </Loaded>
      </Card>
      {isMaking && (
        <CreateKey createDocument={createDocument} tries={tries} onClose={() => setMaking(false)} />
      )}
    </>
  );
}
