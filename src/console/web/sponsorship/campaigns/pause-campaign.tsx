import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { useToast } from '../../ui/toast.tsx';
import { UpdateCampaignDocument } from '../documents.ts';

/** Pauses a campaign, which stops redemptions by all its links, or resumes it. */
export function PauseCampaign({
  campaign: { id, name, isActive },
}: {
  campaign: { id: string; name: string; isActive: boolean };
}) {
  const { run, fault } = useGraphMutation(UpdateCampaignDocument);
  const toast = useToast();
  const toggle = async () => {
    if (await run({ campaignId: id, isActive: !isActive }))
      toast(isActive ? 'The campaign was paused' : 'The campaign was resumed');
  };
  const question = isActive
    ? `Nobody can redeem “${name}” while it is paused. Workspaces that you already sponsor are not affected.`
    : `“${name}” can be redeemed again with every active link.`;
  return (
    <>
      <ConfirmButton
        label={isActive ? 'Pause' : 'Resume'}
        title={isActive ? 'Pause the campaign?' : 'Resume the campaign?'}
        question={question}
        confirmLabel={isActive ? 'Pause' : 'Resume'}
        onConfirm={toggle}
        kind={isActive ? 'danger' : 'plain'}
      />
      {fault && <FaultNote fault={fault} />}
    </>
  );
}
