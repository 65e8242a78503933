import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { AddMember } from './add-member.tsx';
import { SeatsDocument } from './documents.ts';
import { InviteMember } from './invite-member.tsx';
import { MemberList } from './member-list.tsx';
import { PendingInvitations } from './pending-invitations.tsx';

export function Members() {
  const [openDialog, setOpenDialog] = useState<'invite' | 'add'>();
  const { data } = useGraphQuery(SeatsDocument, {}, { typenames: ['User', 'Organization'] });
  const { seatLimit = null, memberCount = 0 } = data?.organization ?? {};
  return (
    <>
      <PageHead
        title="Members"
        lead={seatLimit === null ? undefined : `${memberCount} of ${seatLimit} seats are taken.`}
        actions={
          <>
            <Button onClick={() => setOpenDialog('add')}>
              <Icon name="user" />
              Add existing account
            </Button>
            <Button kind="primary" onClick={() => setOpenDialog('invite')}>
              <Icon name="plus" />
              Invite
            </Button>
          </>
        }
      />
      {seatLimit !== null && memberCount >= seatLimit && (
        <Notice tone="busy">
          All seats are taken. Invited people can join when a seat becomes free.
        </Notice>
      )}
      <Card title="Members">
        <MemberList />
      </Card>
      <Card title="Pending invitations">
        <PendingInvitations />
      </Card>
      {openDialog === 'invite' && <InviteMember onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'add' && <AddMember onClose={() => setOpenDialog(undefined)} />}
    </>
  );
}
