import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no such page" />
      <EmptyState
        title="The address leads nowhere"
        action={<LinkButton href="~/">Go to the start</LinkButton>}
      >
        It may have been mistyped, or what it showed is gone.
      </EmptyState>
    </>
  );
}
