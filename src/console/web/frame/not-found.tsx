import { LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { EmptyState } from '../ui/status.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState
        title="This address does not exist"
        action={<LinkButton href="~/">Go to Home</LinkButton>}
      >
        The address may be mistyped, or the page may have been deleted.
      </EmptyState>
    </>
  );
}
