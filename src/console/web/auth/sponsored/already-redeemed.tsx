import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SponsoredWorkspaceDocument } from './documents.ts';
import { OtherAccount } from './other-account.tsx';
import { Welcome } from './welcome.tsx';

/** For a person who has already used the offer: the workspace that they created with it. */
export function AlreadyRedeemed({ token }: { token: string }) {
  const { data, fault, refetch } = useGraphQuery(SponsoredWorkspaceDocument, { token });
  if (fault) return <FaultNote fault={fault} onRetry={refetch} />;
  if (!data) return <Loading lines={6} />;
  if (data.sponsoredWorkspace)
    return <Welcome workspace={data.sponsoredWorkspace} title="You have already used this offer" />;
  return (
    <>
      <PageHead
        title="You have already used this offer"
        lead="You are no longer a member of the workspace that you created with it. Each person can use the offer once."
      />
      <div className="sponsored-actions">
        <OtherAccount token={token} />
        <LinkButton href="~/" kind="primary">
          Go to Atrium
        </LinkButton>
      </div>
    </>
  );
}
