import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { LinksDocument } from '../documents.ts';
import { CreateLink } from './create-link.tsx';
import { LinkPassword } from './link-password.tsx';
import type { LinkRow } from './link-row.ts';
import { PauseLink } from './pause-link.tsx';
import { QrDialog } from './qr-dialog.tsx';
import { RenameLink } from './rename-link.tsx';

/** The links of a campaign. */
export function LinksCard({ campaignId }: { campaignId: string }) {
  const [page, setPage] = useState(1);
  const answer = useGraphQuery(
    LinksDocument,
    { campaignId, page },
    { typenames: ['Link', 'Redemption'] },
  );
  return (
    <Card title="Links" actions={<CreateLink campaignId={campaignId} />}>
      <Loaded answer={answer} lines={4}>
        {({ links: { items, total } }) =>
          total === 0 ? (
            <EmptyState title="No links yet">
              People sign up with a link. Create one link per channel, so that you can compare them.
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Links of the campaign"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: (link) => <LinkName link={link} /> },
                  { title: 'State', cell: (link) => <PauseLink link={link} /> },
                  {
                    title: 'Redeemed',
                    align: 'end',
                    cell: (link) => <RedemptionCount link={link} />,
                  },
                  { title: 'Actions', align: 'end', cell: (link) => <LinkActions link={link} /> },
                ]}
              />
              <Pager page={page} pageSize={20} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

// So many wrong passwords in an hour are more likely a guessing attack than typing mistakes.
const wrongPasswordsWarning = 10;

function LinkName({
  link: { name, url, hasPassword, wrongPasswordsLastHour: wrongPasswords },
}: {
  link: LinkRow;
}) {
  return (
    <div>
      {name} {hasPassword && <Badge>Password</Badge>}
      {wrongPasswords >= wrongPasswordsWarning && (
        <p className="hint" role="status">
          <Badge tone="bad">
            {wrongPasswords.toLocaleString()} wrong passwords in the last hour
          </Badge>{' '}
          Somebody may be guessing the password. Set a longer one.
        </p>
      )}
      <div className="hint sponsorship-url">{url}</div>
    </div>
  );
}

/** The number of redemptions of a link, as a link to their list. */
function RedemptionCount({
  link: { id, name, completedRedemptionsCount: count },
}: {
  link: LinkRow;
}) {
  if (count === 0) return '0';
  return (
    <Link href={`/redemptions?link=${encodeURIComponent(id)}`}>
      {count.toLocaleString()}
      <span className="sr-only"> by {name}</span>
    </Link>
  );
}

function LinkActions({ link }: { link: LinkRow }) {
  return (
    <div className="row-actions">
      <CopyButton text={link.url} label="Copy link" />
      <QrDialog name={link.name} url={link.url} />
      <LinkPassword link={link} />
      <RenameLink link={link} />
    </div>
  );
}
