import { useAnswer } from '../../graph/use-answer.ts';
import { useSession } from '../../session/session.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { AcceptAs } from './accept-as.tsx';
import { ComeIn } from './come-in.tsx';
import { InvitationOfferDocument } from './documents.ts';
import './invitation.css';
import { isRefusal, Refused } from './refused.tsx';
import { WrongAccount } from './wrong-account.tsx';

/**
 * The page behind the link of an invitation: who invites to what, and the way in for each person.
 */
export function Invitation({ token }: { token: string }) {
  const { viewer } = useSession();
  const { data, fault, again } = useAnswer(InvitationOfferDocument, { token });
  if (fault && !data)
    return isRefusal(fault) ? <Refused fault={fault} /> : <FaultNote fault={fault} again={again} />;
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
            {role === 'ADMIN' && ' as an administrator'}. The invitation holds until{' '}
            <Time at={expiresAt} />.
          </>
        }
      />
      {!viewer && (
        <ComeIn
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
