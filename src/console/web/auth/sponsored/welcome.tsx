import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import type { WorkspaceFragment } from './documents.ts';
import { OfferCard } from './offer-card.tsx';

/** The new workspace: what was sponsored, until when, and a button that opens it. */
export function Welcome({ workspace, title }: { workspace: WorkspaceFragment; title?: string }) {
  const { choose } = useSession();
  const { organization, sponsorName, sponsoredUntil } = workspace;
  return (
    <>
      <PageHead
        title={title ?? `Welcome to ${organization.name}`}
        lead={
          <>
            {title === undefined
              ? 'Your workspace is ready. '
              : `Your workspace is ${organization.name}. `}
            {sponsorName} pays for it until <Time at={sponsoredUntil} />.
          </>
        }
      />
      <OfferCard offer={workspace} isRunning />
      <div className="sponsored-actions">
        <Button kind="primary" onClick={() => choose(organization.id)}>
          Open {organization.name}
          <Icon name="chevron" />
        </Button>
      </div>
    </>
  );
}
