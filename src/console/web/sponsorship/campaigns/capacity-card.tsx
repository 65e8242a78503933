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
    { name: 'redeemed', label: 'Redeemed', count: redeemed },
    { name: 'reserved', label: 'Reserved', count: reserved },
    ...(available === null ? [] : [{ name: 'available', label: 'Available', count: available }]),
  ];
  return (
    <Card title="Capacity">
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
            <dd>{count.toLocaleString()}</dd>
          </div>
        ))}
        {available === null && (
          <div>
            <dt>Available</dt>
            <dd>unlimited</dd>
          </div>
        )}
      </dl>
      {reservations.totalCount > 0 && (
        <>
          <h3>Current reservations</h3>
          <Table
            caption="Reservations of people who are signing up or signing in"
            rows={reservations.nodes}
            keyOf={({ createdAt, expiresAt, link }) => `${link.id} ${createdAt} ${expiresAt}`}
            columns={[
              { title: 'Link', cell: ({ link }) => link.name },
              {
                title: 'Reserved',
                align: 'end',
                cell: ({ createdAt }) => <Time at={createdAt} style="ago" />,
              },
              {
                title: 'Expires',
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
