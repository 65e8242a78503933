import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Shown when the address names a page behind the end of the list. */
export function PastLastPage({ onPage }: { onPage: (page: number) => void }) {
  return (
    <EmptyState
      title="This page does not exist"
      action={<Button onClick={() => onPage(1)}>Go to first page</Button>}
    />
  );
}
