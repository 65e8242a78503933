import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page.tsx';
import { FaultNote, Loaded } from '../../ui/status.tsx';
import { FinalMessage } from '../message.tsx';
import {
  AcceptAddedMembershipDocument,
  AddedMembershipDocument,
  DeclineAddedMembershipDocument,
} from './documents.ts';

/**
 * The page behind the e-mail link that tells a person that an organization added them. Only the
 * buttons change anything.
 */
export function Membership() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [outcome, setOutcome] = useState<'accepted' | 'left'>();
  const answer = useGraphQuery(AddedMembershipDocument, { token });
  if (outcome === 'accepted')
    return (
      <FinalMessage
        title="You accepted the membership"
        lead="The organization now sees your name and when you last signed in."
      />
    );
  if (outcome === 'left')
    return (
      <FinalMessage
        title="You left the organization"
        lead="It no longer has access to your account."
      />
    );
  if (!answer.data && answer.fault?.code === 'NOT_FOUND')
    return (
      <FinalMessage
        title="This link no longer works"
        lead="You have already accepted or left, or the link is older than 30 days. Your profile lists your organizations."
      />
    );
  return (
    <Loaded answer={answer}>
      {({ addedMembership }) => <Choice token={token} {...addedMembership} onDone={setOutcome} />}
    </Loaded>
  );
}

type ChoiceProps = {
  token: string;
  organizationName: string;
  email: string;
  onDone: (outcome: 'accepted' | 'left') => void;
};

function Choice({ token, organizationName, email, onDone }: ChoiceProps) {
  const accepting = useGraphMutation(AcceptAddedMembershipDocument);
  const declining = useGraphMutation(DeclineAddedMembershipDocument);
  const fault = accepting.fault ?? declining.fault;
  const accept = async () => {
    if (await accepting.run({ token })) onDone('accepted');
  };
  const leave = async () => {
    if (await declining.run({ token })) onDone('left');
  };
  return (
    <>
      <PageHead
        title={`${organizationName} added you`}
        lead={
          <>
            An administrator added the account <strong>{email}</strong> to this organization. The
            organization sees this address now. It sees your name and your last sign-in only after
            you accept.
          </>
        }
      />
      <FaultNote fault={fault} />
      <FormButtons>
        <Button kind="danger" busy={declining.busy} onClick={leave}>
          Leave the organization
        </Button>
        <Button kind="primary" busy={accepting.busy} onClick={accept}>
          Accept
        </Button>
      </FormButtons>
    </>
  );
}
