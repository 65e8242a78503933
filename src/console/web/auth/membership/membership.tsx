import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { richText, t } from '../../texts/text.ts';
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
      <FinalMessage title={t('auth.membershipAccepted')} lead={t('auth.membershipAcceptedHint')} />
    );
  if (outcome === 'left')
    return <FinalMessage title={t('auth.membershipLeft')} lead={t('auth.membershipLeftHint')} />;
  if (!answer.data && answer.fault?.code === 'NOT_FOUND')
    return <FinalMessage title={t('auth.linkNoLongerWorks')} lead={t('auth.membershipLinkDead')} />;
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
        title={t('auth.organizationAddedYou', { organizationName })}
        lead={richText('auth.addedLead', { email, b: (text) => <strong>{text}</strong> })}
      />
      <FaultNote fault={fault} />
      <FormButtons>
        <Button kind="danger" busy={declining.busy} onClick={leave}>
          {t('auth.leaveOrganization')}
        </Button>
        <Button kind="primary" busy={accepting.busy} onClick={accept}>
          {t('auth.accept')}
        </Button>
      </FormButtons>
    </>
  );
}
