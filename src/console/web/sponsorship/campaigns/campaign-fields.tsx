import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { CampaignTermsFragment } from '../documents.ts';
import { listIn, momentForField, momentIn, numberIn, textFieldValue } from '../form-values.ts';
import type { ListFaults } from './list-faults.ts';

const months = [1, 2, 3, 4, 5, 6].map((count) => ({
  value: String(count),
  label: count === 1 ? '1 month' : `${count} months`,
}));

/** All terms of a campaign. A new one begins with three months and no limits. */
export function CampaignFields({
  terms,
  faults = {},
}: {
  terms?: CampaignTermsFragment;
  faults?: ListFaults;
}) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        defaultValue={terms?.name}
        hint="People see it when they open a link."
      />
      <div className="sponsorship-fields">
        <SelectField
          label="Lasts"
          name="durationMonths"
          options={months}
          defaultValue={String(terms?.durationMonths ?? 3)}
        />
        <TextField
          label="Seats of each workspace"
          name="includedSeats"
          type="number"
          min={1}
          max={1000}
          step={1}
          required={false}
          defaultValue={terms?.includedSeats ?? ''}
          hint="Empty: no cap."
        />
        <TextField
          label="Redemptions at most"
          name="maxRedemptions"
          type="number"
          min={1}
          max={2_147_483_647}
          step={1}
          required={false}
          defaultValue={terms?.maxRedemptions ?? ''}
          hint="Empty: no cap."
        />
        <TextField
          label="Ends at (UTC)"
          name="expiresAt"
          type="datetime-local"
          required={false}
          defaultValue={momentForField(terms?.expiresAt ?? null)}
          hint="From then on nothing can be redeemed."
        />
      </div>
      <div className="sponsorship-fields">
        <TextArea
          label="Domains that are admitted"
          name="allowedEmailDomains"
          error={faults.allowedEmailDomains}
          required={false}
          defaultValue={terms?.allowedEmailDomains.join('\n')}
          placeholder="example.com"
          hint="One a line. Subdomains count as others."
        />
        <TextArea
          label="Addresses that are admitted"
          name="allowedEmails"
          error={faults.allowedEmails}
          required={false}
          defaultValue={terms?.allowedEmails.join('\n')}
          placeholder="ada@example.com"
          hint="One a line. Either list suffices; both empty admit everyone."
        />
      </div>
    </>
  );
}

/** What was filled in. A number of seats or places that is left empty is none, which clears it. */
export function termsIn(data: FormData) {
  return {
    name: textFieldValue(data, 'name') ?? '',
    durationMonths: numberIn(data, 'durationMonths') ?? 3,
    includedSeats: numberIn(data, 'includedSeats'),
    maxRedemptions: numberIn(data, 'maxRedemptions'),
    expiresAt: momentIn(data, 'expiresAt'),
    allowedEmailDomains: listIn(data, 'allowedEmailDomains'),
    allowedEmails: listIn(data, 'allowedEmails'),
  };
}
