import { useAnswer } from '../../graph/use-answer.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SponsoredWorkspaceDocument } from './documents.ts';
import { OtherAccount } from './other-account.tsx';
import { Welcome } from './welcome.tsx';

/** For who has used the offer before: the workspace that they have from it. */
export function AlreadyRedeemed({ token }: { token: string }) {
  const { data, fault, again } = useAnswer(SponsoredWorkspaceDocument, { token });
  if (fault) return <FaultNote fault={fault} again={again} />;
  if (!data) return <Loading lines={6} />;
  if (data.sponsoredWorkspace)
    return <Welcome workspace={data.sponsoredWorkspace} title="You have used this offer already" />;
  return (
    <>
      <PageHead
        title="You have used this offer already"
        lead="You are no member of the workspace any more that it led to. Everybody can use it once."
      />
      <div className="sponsored-way-in">
        <OtherAccount token={token} />
        <LinkButton href="~/" kind="primary">
          Go to Atrium
        </LinkButton>
      </div>
    </>
  );
}
