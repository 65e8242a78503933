import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { formatNumber } from '../texts/format.ts';
import { richText, t } from '../texts/text.ts';
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
      <PageHead title={name} lead={t('home.welcome', { name: person.firstName || person.email })} />
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
        label={t('home.assistants')}
        value={assistants.length}
        hint={<Link href="/assistants">{t('home.thatYouCanUse')}</Link>}
      />
      {unfinishedFiles && (
        <Figure
          label={t('home.files')}
          value={files}
          hint={
            <Link href={isAdmin ? '/vault/documents' : '/assistants'}>
              {files === 0 ? t('home.noneYet') : filesHint(unfinishedFiles)}
            </Link>
          }
        />
      )}
      <Figure
        label={t('home.members')}
        value={
          seatLimit === null
            ? formatNumber(memberCount)
            : `${formatNumber(memberCount)} / ${formatNumber(seatLimit)}`
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
          label={t('home.vault')}
          value={
            <Badge tone={vaultStates[vault.state].tone}>{t(vaultStates[vault.state].label)}</Badge>
          }
          hint={<Link href="/vault">{t('home.stateAndSearch')}</Link>}
        />
      )}
    </Figures>
  );
}

function seatsHint(memberCount: number, seatLimit: number | null): string {
  if (seatLimit === null) return t('home.unlimitedSeats');
  const free = seatLimit - memberCount;
  if (free <= 0) return t('home.noFreeSeats');
  return t('home.freeSeats', { free });
}

function filesHint({ working, failed }: NonNullable<HomeQuery['unfinishedFiles']>): string {
  const texts = [
    ...(working > 0 ? [t('home.workingFiles', { working })] : []),
    ...(failed > 0 ? [t('home.failedFiles', { failed })] : []),
  ];
  return texts.join(', ') || t('home.allReady');
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
          {richText('home.sponsorshipEnded', {
            time: () => <Time at={until} />,
            b: (text) => <strong>{text}</strong>,
          })}
        </p>
      </Notice>
    );
  }
  if (leftMs <= warningDays * dayMs) {
    return (
      <Notice tone="busy">
        <p>
          {richText('home.sponsorshipEnds', {
            ago: () => <Time at={until} style="ago" />,
            date: () => <Time at={until} />,
            b: (text) => <strong>{text}</strong>,
          })}
        </p>
      </Notice>
    );
  }
  return <Notice>{richText('home.sponsoredUntil', { time: () => <Time at={until} /> })}</Notice>;
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
    <Card
      title={t('home.sponsorship')}
      actions={<LinkButton href="/sponsorship">{t('home.open')}</LinkButton>}
    >
      <Figures>
        <Figure label={t('home.campaigns')} value={campaigns.live} hint={t('home.live')} />
        <Figure
          label={t('home.sponsorships')}
          value={sponsorships.running}
          hint={t('home.running')}
        />
        <Figure
          label={t('home.ending')}
          value={sponsorships.endingWithin30Days}
          hint={t('home.within30Days')}
        />
        <Figure label={t('home.unbilled')} value={unbilled} hint={t('home.redemptions')} />
      </Figures>
    </Card>
  );
}
