import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog, FormDialog } from '../../ui/dialog.tsx';
import { NameField, NumberField, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { Form, fieldNumber, fieldText } from '../../ui/form.tsx';
import {
  type CampaignTermsFragment,
  CreateCampaignDocument,
  UpdateCampaignDocument,
} from '../documents.ts';
import { readDateTime, readList, toFieldValue } from '../form-values.ts';
import { formatMonths } from '../format.tsx';

type ListFaults = { allowedEmailDomains?: string; allowedEmails?: string };

const months = [1, 2, 3, 4, 5, 6].map((count) => ({
  value: String(count),
  label: formatMonths(count),
}));

/** Creates a campaign. `onDone` receives its id, or nothing when the person cancelled. */
export function CreateCampaign({
  open,
  onDone,
}: {
  open: boolean;
  onDone: (campaignId?: string) => void;
}) {
  return (
    <Dialog title="New campaign" open={open} onClose={() => onDone()} wide>
      <CreateCampaignForm onDone={onDone} />
    </Dialog>
  );
}

function CreateCampaignForm({ onDone }: { onDone: (campaignId?: string) => void }) {
  const { run, busy, fault } = useGraphMutation(CreateCampaignDocument, {
    invalidates: ['Campaign'],
    success: 'The campaign was created. Create a link to share it.',
  });
  const { faults, readTerms } = useTerms();
  const create = async (data: FormData) => {
    const terms = readTerms(data);
    const result = terms && (await run(terms));
    if (result) onDone(result.createCampaign.campaign.id);
  };
  return (
    <Form
      label="New campaign"
      onSubmit={create}
      action={{ busy, fault }}
      submit="Create campaign"
      buttons={<Button onClick={() => onDone()}>Cancel</Button>}
    >
      <CampaignFields faults={faults} />
    </Form>
  );
}

/** Edits a campaign. New terms apply to redemptions from then on. */
export function EditCampaign({ campaign }: { campaign: CampaignTermsFragment }) {
  const update = useGraphMutation(UpdateCampaignDocument, { success: 'The campaign was saved' });
  const { faults, readTerms, clear } = useTerms();
  const save = (data: FormData) => {
    const terms = readTerms(data);
    if (!terms) return undefined;
    // The field has no seconds, so an end date that was not edited is not sent.
    const { expiresAt, ...others } = terms;
    const isEndUnchanged = fieldText(data, 'expiresAt') === toFieldValue(campaign.expiresAt);
    const changes = { ...others, ...(isEndUnchanged ? {} : { expiresAt }) };
    return update.run({ campaignId: campaign.id, ...changes });
  };
  return (
    <FormDialog
      label="Edit"
      icon="edit"
      title="Edit campaign"
      wide
      action={update}
      onSubmit={save}
      onClose={clear}
      submit="Save changes"
    >
      <p className="quiet">Existing redemptions keep their terms.</p>
      <CampaignFields terms={campaign} faults={faults} />
    </FormDialog>
  );
}

/** Pauses a campaign, which stops redemptions by all its links, or resumes it. */
export function PauseCampaign({
  campaign: { id, name, isActive },
}: {
  campaign: CampaignTermsFragment;
}) {
  const { run, busy, fault } = useGraphMutation(UpdateCampaignDocument, {
    success: isActive ? 'The campaign was paused' : 'The campaign was resumed',
  });
  return (
    <ConfirmButton
      label={isActive ? 'Pause' : 'Resume'}
      title={isActive ? 'Pause the campaign?' : 'Resume the campaign?'}
      question={
        isActive
          ? `Nobody can redeem “${name}” while it is paused. Workspaces that you already sponsor are not affected.`
          : `“${name}” can be redeemed again with every active link.`
      }
      confirmLabel={isActive ? 'Pause' : 'Resume'}
      onConfirm={() => run({ campaignId: id, isActive: !isActive })}
      kind={isActive ? 'danger' : 'plain'}
      action={{ busy, fault }}
    />
  );
}

/** The form fields of a campaign. A new campaign starts with three months and no limits. */
function CampaignFields({ terms, faults }: { terms?: CampaignTermsFragment; faults: ListFaults }) {
  return (
    <>
      <NameField defaultValue={terms?.name} hint="Shown to people who open a link." />
      <div className="field-grid">
        <SelectField
          label="Duration"
          name="durationMonths"
          options={months}
          defaultValue={String(terms?.durationMonths ?? 3)}
        />
        <NumberField
          label="Seats per workspace"
          name="includedSeats"
          max={1000}
          defaultValue={terms?.includedSeats ?? ''}
          hint="Leave empty for no limit."
        />
        <NumberField
          label="Maximum redemptions"
          name="maxRedemptions"
          defaultValue={terms?.maxRedemptions ?? ''}
          hint="Leave empty for no limit."
        />
        <TextField
          label="Ends at (UTC)"
          name="expiresAt"
          type="datetime-local"
          required={false}
          defaultValue={toFieldValue(terms?.expiresAt ?? null)}
          hint="Nobody can redeem the campaign after this time."
        />
      </div>
      <div className="field-grid">
        <TextArea
          label="Allowed domains"
          name="allowedEmailDomains"
          error={faults.allowedEmailDomains}
          required={false}
          defaultValue={terms?.allowedEmailDomains.join('\n')}
          placeholder="example.com"
          hint="One per line. A domain does not include its subdomains."
        />
        <TextArea
          label="Allowed addresses"
          name="allowedEmails"
          error={faults.allowedEmails}
          required={false}
          defaultValue={terms?.allowedEmails.join('\n')}
          placeholder="ada@example.com"
          hint="One per line. An address must match one of the two lists. Leave both empty to allow everybody."
        />
      </div>
    </>
  );
}

/**
 * Reads the form and shows the first invalid entry of each list. This check only catches obvious
 * mistakes; the API checks every entry.
 */
function useTerms() {
  const [faults, setFaults] = useState<ListFaults>({});
  const readTerms = (data: FormData) => {
    const terms = {
      name: fieldText(data, 'name'),
      durationMonths: fieldNumber(data, 'durationMonths') ?? 3,
      // An empty number is null, which removes the limit.
      includedSeats: fieldNumber(data, 'includedSeats'),
      maxRedemptions: fieldNumber(data, 'maxRedemptions'),
      expiresAt: readDateTime(data, 'expiresAt'),
      allowedEmailDomains: readList(data, 'allowedEmailDomains'),
      allowedEmails: readList(data, 'allowedEmails'),
    };
    const domain = terms.allowedEmailDomains.find((entry) => !/^[^@/:]+\.[^@/:.]+$/.test(entry));
    const email = terms.allowedEmails.find((entry) => !/^[^@]+@[^@]+\.[^@.]+$/.test(entry));
    setFaults({
      ...(domain && { allowedEmailDomains: `“${domain}” is not a domain such as example.com` }),
      ...(email && { allowedEmails: `“${email}” is not an e-mail address` }),
    });
    return domain || email ? undefined : terms;
  };
  return { faults, readTerms, clear: () => setFaults({}) };
}
