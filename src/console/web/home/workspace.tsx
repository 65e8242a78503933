import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { LinkButton } from '../ui/button.tsx';
import { vaultStates } from '../ui/labels.ts';
import { Card, Figure, Figures, PageHead } from '../ui/page.tsx';
import { Badge, Loaded, Notice } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { HomeDocument, type HomeQuery } from './documents.ts';
import { FirstSteps } from './first-steps.tsx';
import { ExpiringKeys, MyAssistants, UnfinishedFiles } from './my-assistants.tsx';
import { Question } from './question.tsx';
import { RecentConversations } from './recent-conversations.tsx';

const idleRefreshMs = 60_000;
const busyRefreshMs = 5_000;

/** The start page of an organization, loaded with one query. */
export function Workspace({ name }: { name: string }) {
  const { person, isAdmin, features } = useViewer();
  const [isWorking, setWorking] = useState(false);
  const answer = useGraphQuery(
    HomeDocument,
    {
      isAdmin,
      hasFiles: features.includes('ASSISTANT_FILES'),
      sponsors: isAdmin && features.includes('PARTNER_SPONSORSHIP'),
    },
    {
      refreshMs: isWorking ? busyRefreshMs : idleRefreshMs,
      typenames: ['Assistant', 'AssistantFile', 'ApiKey', 'Conversation'],
    },
  );
  const working = answer.data?.unfinishedFiles?.working ?? 0;
  useEffect(() => setWorking(working > 0), [working]);
  return (
    <>
      <PageHead title={name} lead={`Welcome, ${person.firstName || person.email}.`} />
      <Loaded answer={answer} lines={8}>
        {(data) => (
          <div className="home-figures">
            {data.organization.sponsoredUntil && (
              <SponsoredUntil until={data.organization.sponsoredUntil} />
            )}
            <Question
              assistants={data.assistants.nodes}
              lastAssistantId={data.conversations.nodes[0]?.assistantId}
            />
            <FirstSteps home={data} />
            {data.unfinishedFiles && <UnfinishedFiles unfinished={data.unfinishedFiles} />}
            <ExpiringKeys keys={data.expiringKeys} />
            <RecentConversations conversations={data.conversations.nodes} />
            <MyAssistants assistants={data.assistants.nodes} />
            <AtAGlance home={data} />
            {data.sponsorshipSummary && <Sponsoring summary={data.sponsorshipSummary} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

function AtAGlance({
  home: {
    organization,
    assistants: { nodes: assistants },
    unfinishedFiles,
    vault,
  },
}: {
  home: HomeQuery;
}) {
  const { isAdmin } = useViewer();
  const { memberCount, seatLimit } = organization;
  const files = assistants.reduce((sum, { fileCount = 0 }) => sum + fileCount, 0);
  return (
    <Figures>
      <Figure
        label="Assistants"
        value={assistants.length}
        hint={<Link href="/assistants">that you can use</Link>}
      />
      {unfinishedFiles && (
        <Figure
          label="Files"
          value={files}
          hint={
            <Link href={isAdmin ? '/vault/documents' : '/assistants'}>
              {files === 0 ? 'none yet' : filesHint(unfinishedFiles)}
            </Link>
          }
        />
      )}
      <Figure
        label="Members"
        value={
          seatLimit === null
            ? memberCount.toLocaleString()
            : `${memberCount.toLocaleString()} / ${seatLimit.toLocaleString()}`
        }
        hint={
          isAdmin ? (
            <Link href="/settings/members">{seatsHint(memberCount, seatLimit)}</Link>
          ) : (
            seatsHint(memberCount, seatLimit)
          )
        }
      />
      {vault && (
        <Figure
          label="Vault"
          value={
            <Badge tone={vaultStates[vault.state].tone}>{vaultStates[vault.state].label}</Badge>
          }
          hint={<Link href="/vault">State and search</Link>}
        />
      )}
    </Figures>
  );
}

function seatsHint(memberCount: number, seatLimit: number | null): string {
  if (seatLimit === null) return 'unlimited seats';
  const free = seatLimit - memberCount;
  if (free <= 0) return 'no free seats';
  return `${free.toLocaleString()} free ${free === 1 ? 'seat' : 'seats'}`;
}

function filesHint({ working, failed }: NonNullable<HomeQuery['unfinishedFiles']>): string {
  const texts = [
    ...(working > 0 ? [`${working.toLocaleString()} processing`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString()} failed`] : []),
  ];
  return texts.join(', ') || 'all ready';
}

const dayMs = 86_400_000;
const warningDays = 30;

/**
 * Shows until when the workspace is sponsored, warns in its last month, and explains what happens
 * after the end.
 */
function SponsoredUntil({ until }: { until: string }) {
  const leftMs = Date.parse(until) - Date.now();
  if (leftMs <= 0) {
    return (
      <Notice tone="bad">
        <p>
          <strong>
            The sponsorship ended on <Time at={until} />.
          </strong>{' '}
          Assistants no longer answer. All data are kept, and everything works again when your
          sponsor extends the sponsorship.
        </p>
      </Notice>
    );
  }
  if (leftMs <= warningDays * dayMs) {
    return (
      <Notice tone="busy">
        <p>
          <strong>
            The sponsorship ends <Time at={until} style="ago" />, on <Time at={until} />.
          </strong>{' '}
          After that, assistants no longer answer. Ask your sponsor to extend it.
        </p>
      </Notice>
    );
  }
  return (
    <Notice>
      Sponsored until <Time at={until} />.
    </Notice>
  );
}

type SponsorshipSummary = NonNullable<HomeQuery['sponsorshipSummary']>;

/** A summary of the workspaces that this organization sponsors. */
function Sponsoring({
  summary: { campaigns, sponsorships, billing },
}: {
  summary: SponsorshipSummary;
}) {
  const unbilled =
    billing.find(({ billingStatus }) => billingStatus === 'UNBILLED')?.redemptions ?? 0;
  return (
    <Card title="Sponsorship" actions={<LinkButton href="/sponsorship">Open</LinkButton>}>
      <Figures>
        <Figure label="Campaigns" value={campaigns.live} hint="live" />
        <Figure label="Sponsorships" value={sponsorships.running} hint="running" />
        <Figure label="Ending" value={sponsorships.endingWithin30Days} hint="within 30 days" />
        <Figure label="Unbilled" value={unbilled} hint="redemptions" />
      </Figures>
    </Card>
  );
}
