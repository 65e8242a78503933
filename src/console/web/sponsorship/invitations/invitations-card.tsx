import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { t, withTexts } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { SearchField, SelectField } from '../../ui/fields.tsx';
import { ListFilters } from '../../ui/list-filters.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, EmptyState, FaultNote, type StatusTone } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import {
  type LinkInvitationState,
  LinkInvitationsDocument,
  type LinkInvitationsQuery,
  ResendLinkInvitationDocument,
  RevokeLinkInvitationDocument,
} from '../documents.ts';
import { UtcDate } from '../format.tsx';
import { InvitePeople } from './invite-people.tsx';

type InvitationRow = LinkInvitationsQuery['link']['invitations']['nodes'][number];

const states: Record<LinkInvitationState, { label: PlainKey; tone: StatusTone }> = {
  NOT_SENT: { label: 'inviting.notSent', tone: 'busy' },
  SENT: { label: 'inviting.sent', tone: 'plain' },
  OPENED: { label: 'inviting.opened', tone: 'busy' },
  REDEEMED: { label: 'inviting.redeemed', tone: 'good' },
  REVOKED: { label: 'inviting.revoked', tone: 'bad' },
  EXPIRED: { label: 'inviting.expired', tone: 'plain' },
};
const stateOptions: readonly { value: LinkInvitationState | ''; label: PlainKey }[] = [
  { value: '', label: 'inviting.everyState' },
  ...(Object.keys(states) as LinkInvitationState[]).map((value) => ({
    ...{ value, label: states[value].label },
  })),
];

/** The people who were invited to a link by mail. */
export function InvitationsCard({ linkId }: { linkId: string }) {
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState('');
  const [state, setState] = useState<LinkInvitationState | ''>('');
  const answer = useGraphQuery(
    LinkInvitationsDocument,
    { linkId, page, search: search || null, state: state || null },
    { typenames: ['LinkInvitation', 'Redemption'], live: true },
  );
  const listed = partOf(answer, ({ link }) => link.invitations);
  const isFiltered = search !== '' || state !== '';
  return (
    <Card title={t('inviting.invitations')} actions={<InvitePeople linkId={linkId} />}>
      <ListFilters answer={listed} isFiltered={isFiltered}>
        <SearchField
          label={t('inviting.searchAddress')}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        <SelectField
          label={t('inviting.state')}
          options={withTexts(stateOptions)}
          value={state}
          onValue={(value) => {
            setState(stateOptions.find((option) => option.value === value)?.value ?? '');
            setPage(1);
          }}
        />
      </ListFilters>
      <PagedTable
        caption={t('inviting.invitationsOfLink')}
        answer={listed}
        page={page}
        pageSize={20}
        onPage={setPage}
        lines={4}
        empty={
          isFiltered ? (
            <EmptyState title={t('inviting.noMatching')} />
          ) : (
            <EmptyState title={t('inviting.noInvitations')}>
              {t('inviting.noInvitationsHint')}
            </EmptyState>
          )
        }
        columns={[
          {
            title: t('inviting.address'),
            cell: ({ email }) => <span className="sponsorship-url">{email}</span>,
          },
          { title: t('inviting.state'), cell: invitationState },
          {
            title: t('inviting.validUntil'),
            align: 'end',
            cell: ({ expiresAt }) => <UtcDate at={expiresAt} />,
          },
          {
            title: t('inviting.actions'),
            align: 'end',
            cell: (invitation) => <InvitationActions invitation={invitation} />,
          },
        ]}
      />
    </Card>
  );
}

const invitationState = ({ state, remindedAt }: InvitationRow) => (
  <>
    <Badge tone={states[state].tone}>{t(states[state].label)}</Badge>{' '}
    {remindedAt !== null && state !== 'REDEEMED' && (
      <span className="hint">{t('inviting.reminded')}</span>
    )}
  </>
);

const openStates: readonly LinkInvitationState[] = ['NOT_SENT', 'SENT', 'OPENED'];

function InvitationActions({ invitation: { id, email, state } }: { invitation: InvitationRow }) {
  const resend = useGraphMutation(ResendLinkInvitationDocument, {
    success: t('inviting.wasSentAgain'),
  });
  const revoke = useGraphMutation(RevokeLinkInvitationDocument);
  if (!openStates.includes(state)) return '–';
  return (
    <div className="row row-actions">
      <FaultNote fault={resend.fault} />
      <Button subject={email} busy={resend.busy} onClick={() => resend.run({ id })}>
        {t('inviting.sendAgain')}
      </Button>
      <ConfirmButton
        label={t('inviting.revoke')}
        subject={email}
        title={t('inviting.revokeQuestion')}
        question={t('inviting.revokeHint', { email })}
        confirmLabel={t('inviting.revoke')}
        onConfirm={() => revoke.run({ id })}
        done={t('inviting.wasRevoked')}
        action={revoke}
      />
    </div>
  );
}
