import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useViewer } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { OrganizationTermsDocument } from './documents.ts';
import { FeatureList } from './feature-list.tsx';
import { OrganizationName } from './organization-name.tsx';
import { QuotaList } from './quota-list.tsx';
import { SecondFactorPolicyCard } from './second-factor-policy-card.tsx';
import { SupportTerms } from './support-terms.tsx';

export function OrganizationPage() {
  const { isPlatformSupport } = useViewer();
  const answer = useGraphQuery(OrganizationTermsDocument, {}, { typenames: ['Organization'] });
  return (
    <>
      <PageHead title="Organization" />
      <Loaded answer={answer} lines={8}>
        {({ organization }) => (
          <>
            <Figures>
              <Figure
                label="Seats"
                value={
                  organization.seatLimit === null
                    ? organization.memberCount
                    : `${organization.memberCount} of ${organization.seatLimit}`
                }
                hint={organization.seatLimit === null ? 'taken, no limit' : 'taken'}
              />
              <Figure
                label="Sponsored until"
                value={
                  organization.sponsoredUntil ? <Time at={organization.sponsoredUntil} /> : '–'
                }
                hint={sponsorshipHint(organization.sponsoredUntil)}
              />
              <Figure
                label="Created"
                value={<Time at={organization.createdAt} />}
                hint={`slug: ${organization.slug}`}
              />
            </Figures>
            <OrganizationName name={organization.name} />
            <Card title="Quotas">
              <QuotaList quotas={organization.quotas} />
            </Card>
            <SecondFactorPolicyCard policy={organization.secondFactorPolicy} />
            <Card title="Features">
              {isPlatformSupport ? (
                <SupportTerms {...organization} />
              ) : (
                <FeatureList features={organization.features} />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function sponsorshipHint(until: string | null): string {
  if (!until) return 'not sponsored';
  return new Date(until) > new Date()
    ? 'assistants stop after that'
    : 'expired: assistants no longer run';
}
