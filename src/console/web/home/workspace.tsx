import { useEffect, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { AtAGlance } from './at-a-glance.tsx';
import { HomeDocument } from './documents.ts';
import { ExpiringKeys } from './expiring-keys.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MyAssistants } from './my-assistants.tsx';
import { SponsoredUntil } from './sponsored-until.tsx';
import { Sponsoring } from './sponsoring.tsx';
import { UnfinishedFiles } from './unfinished-files.tsx';

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
      hasFiles: features.includes('assistantFiles'),
      sponsors: isAdmin && features.includes('partnerSponsorship'),
    },
    {
      refreshMs: isWorking ? busyRefreshMs : idleRefreshMs,
      typenames: ['Assistant', 'AssistantFile', 'ApiKey'],
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
            <FirstSteps home={data} />
            <AtAGlance home={data} />
            <MyAssistants assistants={data.assistants} />
            {data.unfinishedFiles && <UnfinishedFiles unfinished={data.unfinishedFiles} />}
            <ExpiringKeys keys={data.expiringKeys} />
            {data.sponsorshipSummary && <Sponsoring summary={data.sponsorshipSummary} />}
          </div>
        )}
      </Loaded>
    </>
  );
}
