import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { useSession } from '../../session/session.tsx';
import { richText, t } from '../../texts/text.ts';
import { Button, type ButtonKind, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OfferCard } from '../../ui/offer-card.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote, Loading } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { SponsoredWorkspaceDocument, type WorkspaceFragment } from './documents.ts';

/** The new workspace: what was sponsored, until when, and a button that opens it. */
export function Welcome({ workspace, title }: { workspace: WorkspaceFragment; title?: string }) {
  const { choose } = useSession();
  const { organization, sponsorName, sponsoredUntil } = workspace;
  return (
    <>
      <PageHead
        title={title ?? t('sponsored.welcomeTo', { name: organization.name })}
        lead={richText('sponsored.workspacePaid', {
          hasTitle: title === undefined ? 'no' : 'yes',
          name: organization.name,
          sponsorName,
          time: () => <Time at={sponsoredUntil} />,
        })}
      />
      <OfferCard offer={workspace} isRunning />
      <div className="sponsored-actions row">
        <Button kind="primary" onClick={() => choose(organization.id)}>
          {t('sponsored.openWorkspace', { name: organization.name })}
          <Icon name="chevron" />
        </Button>
      </div>
    </>
  );
}

/** For a person who has already used the offer: the workspace that they created with it. */
export function AlreadyRedeemed({ token }: { token: string }) {
  const { data, fault, refetch } = useGraphQuery(SponsoredWorkspaceDocument, { token });
  if (fault) return <FaultNote fault={fault} onRetry={refetch} />;
  if (!data) return <Loading lines={6} />;
  if (data.sponsoredWorkspace)
    return <Welcome workspace={data.sponsoredWorkspace} title={t('sponsored.alreadyUsed')} />;
  return (
    <>
      <PageHead title={t('sponsored.alreadyUsed')} lead={t('sponsored.alreadyUsedHint')} />
      <div className="sponsored-actions row">
        <OtherAccount token={token} />
        <LinkButton href="~/" kind="primary">
          {t('sponsored.goToAtrium')}
        </LinkButton>
      </div>
    </>
  );
}

/**
 * The path of a sponsored link's page. Confirmation e-mails and other sites' sign-ins return to it
 * as well.
 */
export const offerPathOf = (token: string): string =>
  `/auth?sponsored=${encodeURIComponent(token)}`;

/** Signs out and returns to the sponsored link. */
export function OtherAccount({ token, kind = 'quiet' }: { token: string; kind?: ButtonKind }) {
  const { signOut } = useSession();
  const [busy, setBusy] = useState(false);
  const switchAccount = async () => {
    setBusy(true);
    await signOut();
    // signOut() opens the sign-in page; this later navigation replaces that one.
    location.assign(offerPathOf(token));
  };
  return (
    <Button kind={kind} busy={busy} onClick={switchAccount}>
      {t('sponsored.useAnotherAccount')}
    </Button>
  );
}
