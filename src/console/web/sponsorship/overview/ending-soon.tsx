import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Table } from '../../ui/table.tsx';
import { EndingSoonDocument } from '../documents.ts';
import { UtcDate } from '../utc-date.tsx';

const periods = [30, 60, 90].map((days) => ({ value: String(days), label: `${days} days` }));

/** The sponsorships that end next. */
export function EndingSoon() {
  const [days, setDays] = useState(30);
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(EndingSoonDocument, { days, page }, { typenames: ['Redemption'] });
  const choose = (text: string) => {
    setDays(Number(text));
    setPage(1);
  };
  return (
    <Card
      title="Ending soon"
      actions={
        <LinkButton href={`/redemptions?ends=${days}`} kind="quiet">
          Show all
        </LinkButton>
      }
    >
      <div className="toolbar">
        <SelectField
          label="Within"
          options={periods}
          value={String(days)}
          onChange={({ target }) => choose(target.value)}
        />
      </div>
      <Loaded answer={answer} lines={6}>
        {({ expiringRedemptions: { items, total } }) =>
          total === 0 ? (
            <EmptyState title={`No sponsorship ends within ${days} days`} />
          ) : (
            <>
              <Table
                caption={`Sponsorships that end within ${days} days`}
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Workspace',
                    cell: ({ id, organizationName }) => (
                      <Link href={`/redemptions/${id}`}>{organizationName}</Link>
                    ),
                  },
                  { title: 'Redeemed by', narrow: 'hide', cell: ({ userEmail }) => userEmail },
                  { title: 'Campaign', narrow: 'hide', cell: ({ campaignName }) => campaignName },
                  {
                    title: 'Seats',
                    align: 'end',
                    cell: ({ includedSeats, usedSeats }) =>
                      `${usedSeats}${includedSeats === null ? '' : ` of ${includedSeats}`}`,
                  },
                  {
                    title: 'Ends',
                    align: 'end',
                    cell: ({ sponsoredUntil }) => <UtcDate at={sponsoredUntil} />,
                  },
                ]}
              />
              <Pager page={page} pageSize={10} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
