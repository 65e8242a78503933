import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { CampaignQuery } from '../documents.ts';

/**
 * How many redemptions of a campaign are completed, reserved and available. Reservations show only
 * what a partner may know: the link and the times.
 */
export function CapacityCard({
  campaign: {
    maxRedemptions,
    completedRedemptionsCount: redeemed,
    reservedRedemptionsCount: reserved,
    reservations,
  },
}: CampaignQuery) {
  const available =
    maxRedemptions === null ? null : Math.max(0, maxRedemptions - redeemed - reserved);
  const total = Math.max(maxRedemptions ?? 0, redeemed + reserved, 1);
  const parts = [
    { name: 'redeemed', label: t('campaigns.redeemed'), count: redeemed },
    { name: 'reserved', label: t('campaigns.reserved'), count: reserved },
    ...(available === null
      ? []
      : [{ name: 'available', label: t('campaigns.available'), count: available }]),
  ];
  return (
    <Card title={t('campaigns.capacity')}>
      {maxRedemptions !== null && (
        <div className="sponsorship-capacity" aria-hidden="true">
          {parts.map(({ name, count }) => (
            <span
              key={name}
              className={`sponsorship-capacity-${name}`}
              style={{ width: `${(100 * count) / total}%` }}
            />
          ))}
        </div>
      )}
      <dl className="sponsorship-counts">
        {parts.map(({ name, label, count }) => (
          <div key={name}>
            <dt>
              <span className={`legend-mark sponsorship-capacity-${name}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
        {available === null && (
          <div>
            <dt>{t('campaigns.available')}</dt>
            <dd>{t('campaigns.unlimited')}</dd>
          </div>
        )}
      </dl>
      {reservations.totalCount > 0 && (
        <>
          <h3>{t('campaigns.currentReservations')}</h3>
          <Table
            caption={t('campaigns.reservationsCaption')}
            rows={reservations.nodes}
            keyOf={({ createdAt, expiresAt, link }) => `${link.id} ${createdAt} ${expiresAt}`}
            columns={[
              { title: t('campaigns.link'), cell: ({ link }) => link.name },
              {
                title: t('campaigns.reserved'),
                align: 'end',
                cell: ({ createdAt }) => <Time at={createdAt} style="ago" />,
              },
              {
                title: t('campaigns.expires'),
                align: 'end',
                cell: ({ expiresAt }) => <Time at={expiresAt} style="ago" />,
              },
            ]}
          />
        </>
      )}
    </Card>
  );
}
