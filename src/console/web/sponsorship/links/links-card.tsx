import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { CopyButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { LinksDocument } from '../documents.ts';
import {
  CreateLink,
  LinkPassword,
  type LinkRow,
  PauseLink,
  QrDialog,
  RenameLink,
} from './link-actions.tsx';

/** The links of a campaign. */
export function LinksCard({ campaignId }: { campaignId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    LinksDocument,
    { campaignId, page },
    { typenames: ['Link', 'Redemption'] },
  );
  return (
    <Card title={t('links.links')} actions={<CreateLink campaignId={campaignId} />}>
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
          { title: t('links.redeemed'), align: 'end', cell: redemptionCount },
          { title: t('links.actions'), align: 'end', cell: linkActions },
        ]}
      />
    </Card>
  );
}

// So many wrong passwords in an hour are more likely a guessing attack than typing mistakes.
const wrongPasswordsWarning = 10;

const linkName = ({ name, url, hasPassword, wrongPasswordsLastHour: wrongPasswords }: LinkRow) => (
  <div>
    {name} {hasPassword && <Badge>{t('links.password')}</Badge>}
    {wrongPasswords >= wrongPasswordsWarning && (
      <p className="hint" role="status">
        <Badge tone="bad">{t('links.wrongPasswords', { wrongPasswords })}</Badge>{' '}
        {t('links.guessing')}
      </p>
    )}
    <div className="hint sponsorship-url">{url}</div>
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
  <div className="row row-actions">
    <CopyButton text={link.url} label={t('links.copyLink')} />
    <QrDialog link={link} />
    <LinkPassword link={link} />
    <RenameLink link={link} />
  </div>
);
