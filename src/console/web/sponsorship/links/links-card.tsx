import { useState } from 'react';
import { Link } from 'wouter';
import { partOf, useGraphQuery } from '../../graph/use-graph.ts';
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
    <Card title="Links" actions={<CreateLink campaignId={campaignId} />}>
      <PagedTable
        caption="Links of the campaign"
        answer={partOf(answer, ({ links }) => links)}
        page={page}
        pageSize={20}
        onPage={setPage}
        lines={4}
        empty={
          <EmptyState title="No links yet">
            People sign up with a link. Create one link per channel, so that you can compare them.
          </EmptyState>
        }
        columns={[
          { title: 'Name', cell: linkName },
          { title: 'State', cell: (link) => <PauseLink link={link} /> },
          { title: 'Redeemed', align: 'end', cell: redemptionCount },
          { title: 'Actions', align: 'end', cell: linkActions },
        ]}
      />
    </Card>
  );
}

// So many wrong passwords in an hour are more likely a guessing attack than typing mistakes.
const wrongPasswordsWarning = 10;

const linkName = ({ name, url, hasPassword, wrongPasswordsLastHour: wrongPasswords }: LinkRow) => (
  <div>
    {name} {hasPassword && <Badge>Password</Badge>}
    {wrongPasswords >= wrongPasswordsWarning && (
      <p className="hint" role="status">
        <Badge tone="bad">{wrongPasswords.toLocaleString()} wrong passwords in the last hour</Badge>{' '}
        Somebody may be guessing the password. Set a longer one.
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
      {count.toLocaleString()}
      <span className="sr-only"> by {name}</span>
    </Link>
  );

const linkActions = (link: LinkRow) => (
  <div className="row row-actions">
    <CopyButton text={link.url} label="Copy link" />
    <QrDialog link={link} />
    <LinkPassword link={link} />
    <RenameLink link={link} />
  </div>
);
