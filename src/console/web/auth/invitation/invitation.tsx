import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { useSession } from '../../session/session.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { AcceptAs } from './accept-as.tsx';
import { AccountChoice } from './account-choice.tsx';
import { InvitationOfferDocument } from './documents.ts';
import './invitation.css';
import { isRefusal, Refused } from './refused.tsx';
import { WrongAccount } from './wrong-account.tsx';

/** The page behind an invitation link: who invites to which organization, and how to accept. */
export function Invitation({ token }: { token: string }) {
  const { viewer } = useSession();
  const { data, fault, refetch } = useGraphQuery(InvitationOfferDocument, { token });
  if (fault && !data)
    return isRefusal(fault) ? (
      <Refused fault={fault} />
    ) : (
      <FaultNote fault={fault} onRetry={refetch} />
    );
  if (!data) return <Loading lines={6} />;
  const { organizationName, email, role, invitedBy, expiresAt, needsAccount, needsPassword } =
    data.invitation;
  return (
    <>
      <PageHead
        title={`Join ${organizationName}`}
        lead={
          <>
            {invitedBy ?? 'An administrator'} invites <strong>{email}</strong> to {organizationName}
            {role === 'ADMIN' && ' as an administrator'}. The invitation is valid until{' '}
            <Time at={expiresAt} />.
          </>
        }
      />
      {!viewer && (
        <AccountChoice
          token={token}
          email={email}
          needsAccount={needsAccount}
          needsPassword={needsPassword}
        />
      )}
      {viewer && viewer.person.email === email && (
        <AcceptAs token={token} email={email} organizationName={organizationName} />
      )}
      {viewer && viewer.person.email !== email && (
        <WrongAccount token={token} signedInAs={viewer.person.email} invited={email} />
      )}
    </>
  );
}
