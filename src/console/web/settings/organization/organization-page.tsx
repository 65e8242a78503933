import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { formatBytes } from '../../ui/labels.ts';
import { Card, Figure, Figures, PageHead } from '../../ui/page.tsx';
import { Badge, Loaded, Progress } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { OrganizationTermsDocument, type OrganizationTermsQuery } from './documents.ts';
import {
  featureTexts,
  OrganizationName,
  SecondFactorPolicy,
  SupportTerms,
} from './organization-forms.tsx';

type Organization = OrganizationTermsQuery['organization'];

export function OrganizationPage() {
  const { isPlatformSupport } = useViewer();
  const answer = useGraphQuery(OrganizationTermsDocument, {}, { typenames: ['Organization'] });
  return (
    <>
      <PageHead title="Organization" />
      <Loaded answer={answer} lines={8}>
        {({ organization }) => (
          <>
            <KeyFigures {...organization} />
            <OrganizationName name={organization.name} />
            <Card title="Quotas">
              <QuotaList quotas={organization.quotas} />
            </Card>
            <SecondFactorPolicy policy={organization.secondFactorPolicy} />
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

const KeyFigures = ({ seatLimit, memberCount, sponsoredUntil, createdAt, slug }: Organization) => (
  <Figures>
    <Figure
      label="Seats"
      value={seatLimit === null ? memberCount : `${memberCount} of ${seatLimit}`}
      hint={seatLimit === null ? 'taken, no limit' : 'taken'}
    />
    <Figure
      label="Sponsored until"
      value={sponsoredUntil ? <Time at={sponsoredUntil} /> : '–'}
      hint={sponsorshipHint(sponsoredUntil)}
    />
    <Figure label="Created" value={<Time at={createdAt} />} hint={`slug: ${slug}`} />
  </Figures>
);

function sponsorshipHint(until: string | null): string {
  if (!until) return 'not sponsored';
  return new Date(until) > new Date()
    ? 'assistants stop after that'
    : 'expired: assistants no longer run';
}

type Quota = Organization['quotas'][number];

const quotaLabels: Record<Quota['name'], string> = {
  FILES: 'Files',
  BYTES: 'Total file size',
  PASSAGES: 'Passages in the vault',
  RUNS: 'Concurrent runs',
  UPLOADS: 'Concurrent uploads',
};
const formatAmount = (name: Quota['name'], amount: number) =>
  name === 'BYTES' ? formatBytes(amount) : amount.toLocaleString();

/** How much of each quota the organization uses. */
const QuotaList = ({ quotas }: { quotas: readonly Quota[] }) => (
  <>
    <p className="quiet">
      When a quota is used up, uploads and runs are rejected. Delete files that you no longer need,
      or ask platform support for more.
    </p>
    <ul className="settings-list plain-list">
      {quotas.map(({ name, used, limit }) => (
        <li key={name}>
          <span>
            <strong>{quotaLabels[name]}</strong>
            <span className="hint">
              {formatAmount(name, used)} of {formatAmount(name, limit)}
            </span>
          </span>
          <Progress label={quotaLabels[name]} value={limit === 0 ? 1 : Math.min(1, used / limit)} />
        </li>
      ))}
    </ul>
  </>
);

/** The features of the organization, for people who cannot change them. */
const FeatureList = ({ features }: { features: readonly string[] }) => (
  <>
    <p className="quiet">
      Platform support enables these features. Ask them for a feature that you need.
    </p>
    <ul className="settings-list plain-list">
      {featureTexts.map(({ feature, label, hint }) => (
        <li key={feature}>
          <span>
            <strong>{label}</strong>
            <span className="hint">{hint}</span>
          </span>
          {features.includes(feature) ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
        </li>
      ))}
    </ul>
  </>
);
