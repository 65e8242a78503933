import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import type { PlainKey } from '../../texts/catalogue.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
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
      <PageHead title={t('organization.organization')} />
      <Loaded answer={answer} lines={8}>
        {({ organization }) => (
          <>
            <KeyFigures {...organization} />
            <OrganizationName name={organization.name} />
            <Card title={t('organization.quotas')}>
              <QuotaList quotas={organization.quotas} />
            </Card>
            <SecondFactorPolicy policy={organization.secondFactorPolicy} />
            <Card title={t('organization.features')}>
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
      label={t('organization.seats')}
      value={
        seatLimit === null ? memberCount : t('organization.seatsOf', { memberCount, seatLimit })
      }
      hint={seatLimit === null ? t('organization.takenNoLimit') : t('organization.taken')}
    />
    <Figure
      label={t('organization.sponsoredUntil')}
      value={sponsoredUntil ? <Time at={sponsoredUntil} /> : '–'}
      hint={sponsorshipHint(sponsoredUntil)}
    />
    <Figure
      label={t('organization.created')}
      value={<Time at={createdAt} />}
      hint={t('organization.slug', { slug })}
    />
  </Figures>
);

function sponsorshipHint(until: string | null): string {
  if (!until) return t('organization.notSponsored');
  return new Date(until) > new Date()
    ? t('organization.stopAfterThat')
    : t('organization.sponsorshipExpired');
}

type Quota = Organization['quotas'][number];

const quotaLabels: Record<Quota['name'], PlainKey> = {
  FILES: 'organization.files',
  BYTES: 'organization.fileSize',
  PASSAGES: 'organization.passages',
  RUNS: 'organization.runs',
  UPLOADS: 'organization.uploads',
};
const formatAmount = (name: Quota['name'], amount: number) =>
  name === 'BYTES' ? formatBytes(amount) : formatNumber(amount);

/** How much of each quota the organization uses. */
const QuotaList = ({ quotas }: { quotas: readonly Quota[] }) => (
  <>
    <p className="quiet">{t('organization.quotasHint')}</p>
    <ul className="settings-list plain-list">
      {quotas.map(({ name, used, limit }) => (
        <li key={name}>
          <span>
            <strong>{t(quotaLabels[name])}</strong>
            <span className="hint">
              {t('organization.usedOf', {
                used: formatAmount(name, used),
                limit: formatAmount(name, limit),
              })}
            </span>
          </span>
          <Progress
            label={t(quotaLabels[name])}
            value={limit === 0 ? 1 : Math.min(1, used / limit)}
          />
        </li>
      ))}
    </ul>
  </>
);

/** The features of the organization, for people who cannot change them. */
const FeatureList = ({ features }: { features: readonly string[] }) => (
  <>
    <p className="quiet">{t('organization.featuresHint')}</p>
    <ul className="settings-list plain-list">
      {featureTexts.map(({ feature, label, hint }) => (
        <li key={feature}>
          <span>
            <strong>{t(label)}</strong>
            <span className="hint">{t(hint)}</span>
          </span>
          {features.includes(feature) ? (
            <Badge tone="good">{t('organization.on')}</Badge>
          ) : (
            <Badge>{t('organization.off')}</Badge>
          )}
        </li>
      ))}
    </ul>
  </>
);
