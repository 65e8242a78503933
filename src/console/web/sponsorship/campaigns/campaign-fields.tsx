import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { CampaignTermsFragment } from '../documents.ts';
import { readDateTime, readList, readNumber, readText, toFieldValue } from '../form-values.ts';
import type { ListFaults } from './list-faults.ts';

const months = [1, 2, 3, 4, 5, 6].map((count) => ({
  value: String(count),
  label: count === 1 ? '1 month' : `${count} months`,
}));

/** The form fields of a campaign. A new campaign starts with three months and no limits. */
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
        hint="Shown to people who open a link."
      />
      <div className="sponsorship-fields">
        <SelectField
          label="Duration"
          name="durationMonths"
          options={months}
          defaultValue={String(terms?.durationMonths ?? 3)}
        />
        <TextField
          label="Seats per workspace"
          name="includedSeats"
          type="number"
          min={1}
          max={1000}
          step={1}
          required={false}
          defaultValue={terms?.includedSeats ?? ''}
          hint="Leave empty for no limit."
        />
        <TextField
          label="Maximum redemptions"
          name="maxRedemptions"
          type="number"
          min={1}
          max={2_147_483_647}
          step={1}
          required={false}
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
      <div className="sponsorship-fields">
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

/** Reads the form. An empty number is null, which removes the limit. */
export function readTerms(data: FormData) {
  return {
    name: readText(data, 'name') ?? '',
    durationMonths: readNumber(data, 'durationMonths') ?? 3,
    includedSeats: readNumber(data, 'includedSeats'),
    maxRedemptions: readNumber(data, 'maxRedemptions'),
    expiresAt: readDateTime(data, 'expiresAt'),
    allowedEmailDomains: readList(data, 'allowedEmailDomains'),
    allowedEmails: readList(data, 'allowedEmails'),
  };
}
