import { Card } from '../../ui/card.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { CampaignQuery } from '../documents.ts';

/** How many places are used, held and free; and who holds one, as far as a partner may know. */
export function CapacityCard({ campaign }: { campaign: CampaignQuery['campaign'] }) {
  const {
    maxRedemptions,
    completedRedemptionsCount: used,
    reservedRedemptionsCount: held,
    reservations,
  } = campaign;
  const free = maxRedemptions === null ? null : Math.max(0, maxRedemptions - used - held);
  const whole = Math.max(maxRedemptions ?? 0, used + held, 1);
  const parts = [
    { name: 'used', label: 'Used', count: used },
    { name: 'held', label: 'Held', count: held },
    ...(free === null ? [] : [{ name: 'free', label: 'Free', count: free }]),
  ];
  return (
    <Card title="Places">
      {maxRedemptions !== null && (
        <div className="sponsorship-places" aria-hidden="true">
          {parts.map(({ name, count }) => (
            <span
              key={name}
              className={`sponsorship-places-${name}`}
              style={{ width: `${(100 * count) / whole}%` }}
            />
          ))}
        </div>
      )}
      <dl className="sponsorship-counts">
        {parts.map(({ name, label, count }) => (
          <div key={name}>
            <dt>
              <span className={`sponsorship-mark sponsorship-places-${name}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>{count.toLocaleString()}</dd>
          </div>
        ))}
        {free === null && (
          <div>
            <dt>Free</dt>
            <dd>without limit</dd>
          </div>
        )}
      </dl>
      {reservations.total > 0 && (
        <>
          <h3>Held now</h3>
          <Table
            caption="Places that are held for people who are signing up or in"
            rows={reservations.items}
            keyOf={({ createdAt, expiresAt, link }) => `${link.id} ${createdAt} ${expiresAt}`}
            columns={[
              { title: 'Link', cell: ({ link }) => link.name },
              {
                title: 'Taken',
                align: 'end',
                cell: ({ createdAt }) => <Time at={createdAt} style="ago" />,
              },
              {
                title: 'Given back',
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
