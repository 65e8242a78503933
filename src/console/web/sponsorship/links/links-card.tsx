import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { CopyButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { type CampaignQuery, LinksDocument } from '../documents.ts';
import { formatConversion } from '../format.tsx';
import { CreateLink, type LinkRow, PauseLink, QrDialog } from './link-actions.tsx';

type LinksCardProps = { campaignId: string; figures: CampaignQuery['campaign']['linkFigures'] };

/** The links of a campaign, and how often they were opened and redeemed. */
export function LinksCard({ campaignId, figures }: LinksCardProps) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    LinksDocument,
    { campaignId, page },
    { typenames: ['Link', 'Redemption'] },
  );
  return (
    <Card title={t('links.links')} actions={<CreateLink campaignId={campaignId} />}>
      {figures.clicks + figures.redemptions > 0 && (
        <p className="quiet">
          {t('links.sumOfMonth', {
            clicks: figures.clicks,
            redemptions: figures.redemptions,
            conversion: formatConversion(figures.conversion),
          })}
        </p>
      )}
      <PagedTable
        caption={t('links.linksOfCampaign')}
        answer={partOf(answer, ({ links }) => links)}
        page={page}
        pageSize={20}
        onPage={setPage}
        lines={4}
        empty={<EmptyState title={t('links.noLinks')}>{t('links.noLinksHint')}</EmptyState>}
        columns={[
          { title: t('links.name'), cell: linkName },
          { title: t('links.state'), cell: (link) => <PauseLink link={link} /> },
          {
            title: t('links.clicksOfMonth'),
            align: 'end',
            cell: ({ figures: { clicks } }) => formatNumber(clicks),
          },
          { title: t('links.redeemed'), align: 'end', cell: redemptionCount },
          {
            title: t('links.conversionOfMonth'),
            align: 'end',
            cell: ({ figures: { conversion } }) => formatConversion(conversion),
          },
          { title: t('links.actions'), align: 'end', cell: linkActions },
        ]}
      />
    </Card>
  );
}

// So many wrong passwords in an hour are more likely a guessing attack than typing mistakes.
const wrongPasswordsWarning = 10;

const linkName = ({
  id,
  name,
  url,
  hasPassword,
  wrongPasswordsLastHour: wrongPasswords,
}: LinkRow) => (
  <div>
    <Link href={`/links/${id}`}>{name}</Link> {hasPassword && <Badge>{t('links.password')}</Badge>}
    {wrongPasswords >= wrongPasswordsWarning && (
      <p className="hint" role="status">
        <Badge tone="bad">{t('links.wrongPasswords', { wrongPasswords })}</Badge>{' '}
        {t('links.guessing')}
      </p>
    )}
    <div className="hint sponsorship-url" title={url}>
      {url}
    </div>
  </div>
);

/** The number of redemptions of a link, as a link to their list. */
const redemptionCount = ({ id, name, completedRedemptionsCount: count }: LinkRow) =>
  count === 0 ? (
    '0'
  ) : (
    <Link href={`/redemptions?link=${encodeURIComponent(id)}`}>
      {formatNumber(count)}
      <span className="sr-only"> {t('links.byLink', { name })}</span>
    </Link>
  );

const linkActions = (link: LinkRow) => (
  <div className="sponsorship-link-actions row row-actions">
    <CopyButton text={link.url} label={t('links.copyLink')} />
    <QrDialog link={link} />
  </div>
);
