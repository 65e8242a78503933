import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Fault } from '../../graph/fault.ts';
import { useAction } from '../../graph/use-action.ts';
import { useAnswer } from '../../graph/use-answer.ts';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import {
  AcceptAddedMembershipDocument,
  AddedMembershipDocument,
  DeclineAddedMembershipDocument,
} from './documents.ts';

/**
 * The page behind the link of the mail to a person whose account an organization added. Nothing
 * changes before a button is pressed.
 */
export function Membership() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [outcome, setOutcome] = useState<'accepted' | 'left'>();
  const { data, fault, again } = useAnswer(AddedMembershipDocument, { token });
  if (outcome === 'accepted')
    return (
      <Outcome
        title="You have accepted"
        lead="The organization now sees your name and when you last signed in."
      />
    );
  if (outcome === 'left')
    return (
      <Outcome
        title="You have left the organization"
        lead="It has no access to your account any more."
      />
    );
  if (fault && !data) return isOver(fault) ? <Over /> : <FaultNote fault={fault} again={again} />;
  if (!data) return <Loading lines={4} />;
  return <Choice token={token} {...data.addedMembership} onDone={setOutcome} />;
}

type ChoiceProps = {
  token: string;
  organizationName: string;
  email: string;
  onDone: (outcome: 'accepted' | 'left') => void;
};

function Choice({ token, organizationName, email, onDone }: ChoiceProps) {
  const accepting = useAction(AcceptAddedMembershipDocument);
  const declining = useAction(DeclineAddedMembershipDocument);
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
            An administrator added the account of <strong>{email}</strong> to this organization. It
            sees this address. It sees your name and when you last signed in only after you accept.
          </>
        }
      />
      {fault && <FaultNote fault={fault} />}
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

const isOver = ({ code }: Fault) => code === 'NOT_FOUND';

const Over = () => (
  <Outcome
    title="This link does not work any more"
    lead="You have accepted or left already, or the link is older than 30 days. You find your organizations in your profile."
  />
);

function Outcome({ title, lead }: { title: string; lead: ReactNode }) {
  const { viewer } = useSession();
  return (
    <>
      <PageHead key={title} title={title} lead={lead} />
      <LinkButton href={viewer ? '~/' : '~/auth'} kind="primary">
        {viewer ? 'Go to Atrium' : 'Sign in'}
      </LinkButton>
    </>
  );
}
