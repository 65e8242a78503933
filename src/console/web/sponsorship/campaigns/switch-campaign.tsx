import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { UpdateCampaignDocument } from '../documents.ts';

/** Closes a campaign to everybody who comes by one of its links, or opens it again. */
export function SwitchCampaign({
  campaign: { id, name, isActive },
}: {
  campaign: { id: string; name: string; isActive: boolean };
}) {
  const { run, fault } = useGraphMutation(UpdateCampaignDocument);
  const toast = useToast();
  const turn = async () => {
    if (await run({ campaignId: id, isActive: !isActive }))
      toast(isActive ? 'The campaign is switched off' : 'The campaign is switched on');
  };
  const question = isActive
    ? `Nobody can redeem “${name}” while it is off, by any of its links. Workspaces that are sponsored go on.`
    : `“${name}” can be redeemed again by every link that is switched on.`;
  return (
    <>
      <ConfirmButton
        label={isActive ? 'Switch off' : 'Switch on'}
        title={isActive ? 'Switch the campaign off?' : 'Switch the campaign on?'}
        question={question}
        confirmLabel={isActive ? 'Switch off' : 'Switch on'}
        onConfirm={turn}
        kind={isActive ? 'danger' : 'plain'}
      />
      {fault && <FaultNote fault={fault} />}
    </>
  );
}
