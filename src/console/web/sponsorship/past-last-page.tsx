import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** For an address that names a page which the list no longer has. */
export function PastLastPage({ onPage }: { onPage: (page: number) => void }) {
  return (
    <EmptyState
      title="The list ends before this page"
      action={<Button onClick={() => onPage(1)}>Go to the first page</Button>}
    />
  );
}
