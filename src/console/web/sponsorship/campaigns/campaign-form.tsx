import { useState } from 'react';
import { useLocation } from 'wouter';
import { cutText } from '../../../../platform/cut-text.ts';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog, FormDialog } from '../../ui/dialog.tsx';
import { DateTimeField, NameField, NumberField, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, fieldNumber, fieldText } from '../../ui/form.tsx';
import {
  type CampaignTermsFragment,
  CreateCampaignDocument,
  UpdateCampaignDocument,
} from '../documents.ts';
import { readDateTime, readList, toFieldValue } from '../form-values.ts';
import { formatMonths } from '../format.tsx';

type ListFaults = { allowedEmailDomains?: string; allowedEmails?: string };

const nameLengthMax = 200;
const months = [1, 2, 3, 4, 5, 6];

/** Creates a campaign. `onDone` receives its id, or nothing when the person cancelled. */
export function CreateCampaign({
  open,
  onDone,
}: {
  open: boolean;
  onDone: (campaignId?: string) => void;
}) {
  return (
    <Dialog title={t('campaigns.newCampaign')} open={open} onClose={() => onDone()} wide>
      <CreateCampaignForm onDone={onDone} />
    </Dialog>
  );
}

function CreateCampaignForm({ onDone }: { onDone: (campaignId?: string) => void }) {
  const { run, busy, fault } = useGraphMutation(CreateCampaignDocument, {
    invalidates: ['Campaign'],
    success: t('campaigns.created'),
  });
  const { faults, readTerms } = useTerms();
  const create = async (data: FormData) => {
    const terms = readTerms(data);
    const result = terms && (await run(terms));
    if (result) onDone(result.createCampaign.campaign.id);
  };
  return (
    <Form
      label={t('campaigns.newCampaign')}
      onSubmit={create}
      action={{ busy, fault }}
      submit={t('campaigns.createCampaign')}
      buttons={<Button onClick={() => onDone()}>{t('ui.cancel')}</Button>}
    >
      <CampaignFields faults={faults} />
    </Form>
  );
}

/** Edits a campaign. New terms apply to redemptions from then on. */
export function EditCampaign({ campaign }: { campaign: CampaignTermsFragment }) {
  const update = useGraphMutation(UpdateCampaignDocument, { success: t('campaigns.saved') });
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
      label={t('campaigns.edit')}
      icon="edit"
      title={t('campaigns.editCampaign')}
      wide
      action={update}
      onSubmit={save}
      onClose={clear}
      submit={t('campaigns.saveChanges')}
    >
      <p className="quiet">{t('campaigns.existingKeepTerms')}</p>
      <CampaignFields terms={campaign} faults={faults} />
    </FormDialog>
  );
}

/** Creates a campaign with the terms of another one, without its end date, links and redemptions. */
export function DuplicateCampaign({ campaign }: { campaign: CampaignTermsFragment }) {
  const [, go] = useLocation();
  const create = useGraphMutation(CreateCampaignDocument, {
    invalidates: ['Campaign'],
    success: t('campaigns.created'),
  });
  const { faults, readTerms, clear } = useTerms();
  const duplicate = async (data: FormData) => {
    const terms = readTerms(data);
    const result = terms && (await create.run(terms));
    if (result) go(`/campaigns/${result.createCampaign.campaign.id}`);
    return result;
  };
  const name = cutText(t('campaigns.copyOf', { name: campaign.name }), nameLengthMax);
  return (
    <FormDialog
      label={t('campaigns.duplicate')}
      icon="copy"
      title={t('campaigns.duplicateCampaign')}
      wide
      action={create}
      onSubmit={duplicate}
      onClose={clear}
      submit={t('campaigns.createCampaign')}
    >
      <p className="quiet">{t('campaigns.duplicateHint')}</p>
      <CampaignFields terms={{ ...campaign, name, expiresAt: null }} faults={faults} />
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
    success: isActive ? t('campaigns.wasPaused') : t('campaigns.wasResumed'),
  });
  return (
    <ConfirmButton
      label={isActive ? t('campaigns.pause') : t('campaigns.resume')}
      title={isActive ? t('campaigns.pauseQuestion') : t('campaigns.resumeQuestion')}
      question={isActive ? t('campaigns.pauseHint', { name }) : t('campaigns.resumeHint', { name })}
      confirmLabel={isActive ? t('campaigns.pause') : t('campaigns.resume')}
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
      <NameField defaultValue={terms?.name} hint={t('campaigns.nameHint')} />
      <div className="field-grid">
        <SelectField
          label={t('campaigns.duration')}
          name="durationMonths"
          options={months.map((count) => ({ value: String(count), label: formatMonths(count) }))}
          defaultValue={String(terms?.durationMonths ?? 3)}
        />
        <NumberField
          label={t('campaigns.seatsPerWorkspace')}
          name="includedSeats"
          max={1000}
          defaultValue={terms?.includedSeats ?? ''}
          hint={t('campaigns.emptyForNoLimit')}
        />
        <NumberField
          label={t('campaigns.maximumRedemptions')}
          name="maxRedemptions"
          defaultValue={terms?.maxRedemptions ?? ''}
          hint={t('campaigns.emptyForNoLimit')}
        />
        <DateTimeField
          label={t('campaigns.endsAt')}
          name="expiresAt"
          required={false}
          defaultValue={toFieldValue(terms?.expiresAt ?? null)}
          hint={t('campaigns.endsAtHint')}
        />
      </div>
      <div className="field-grid">
        <TextArea
          label={t('campaigns.allowedDomains')}
          name="allowedEmailDomains"
          error={faults.allowedEmailDomains}
          required={false}
          defaultValue={terms?.allowedEmailDomains.join('\n')}
          placeholder="example.com"
          hint={t('campaigns.allowedDomainsHint')}
        />
        <TextArea
          label={t('campaigns.allowedAddresses')}
          name="allowedEmails"
          error={faults.allowedEmails}
          required={false}
          defaultValue={terms?.allowedEmails.join('\n')}
          placeholder="ada@example.com"
          hint={t('campaigns.allowedAddressesHint')}
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
      ...(domain && { allowedEmailDomains: t('campaigns.notADomain', { domain }) }),
      ...(email && { allowedEmails: t('campaigns.notAnAddress', { email }) }),
    });
    return domain || email ? undefined : terms;
  };
  return { faults, readTerms, clear: () => setFaults({}) };
}
