import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { NumberField, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { fieldNumber } from '../../ui/form.tsx';
import { Notice } from '../../ui/status.tsx';
import { billingLabel, billingOptions, parseBillingStatus } from '../billing-status.tsx';
import {
  ExtendRedemptionsDocument,
  type RedemptionRowFragment,
  SetRedemptionsBillingDocument,
} from '../documents.ts';
import { readDateTime, readText } from '../form-values.ts';
import { formatEuro, formatUtcDate } from '../format.tsx';

export type SelectedRedemptions = ReadonlyMap<string, RedemptionRowFragment>;
type DialogProps = { selected: SelectedRedemptions; disabled?: boolean; onDone?: () => void };

/**
 * The types to fetch again after a bulk change: its result contains no redemptions, so the cache
 * cannot tell what changed.
 */
const invalidates = ['Redemption', 'Campaign', 'SponsorshipSummary'];

/**
 * Sets the billing of several redemptions. The lists show the new values only after the API has
 * accepted them.
 */
export function BillingDialog({ selected, disabled = false, onDone }: DialogProps) {
  const [status, setStatus] = useState('BILLED');
  const [amount, setAmount] = useState('');
  const change = useGraphMutation(SetRedemptionsBillingDocument, {
    invalidates,
    success: ({ setRedemptionsBilling: { changed } }) =>
      `The billing of ${formatCount(changed)} was set`,
  });
  const save = (data: FormData) => {
    const [billingAmount, billingBatchId] = [fieldNumber(data, 'amount'), readText(data, 'batch')];
    return change.run({
      redemptionIds: [...selected.keys()],
      billingStatus: parseBillingStatus(data.get('status')) ?? 'UNBILLED',
      ...(billingAmount === null ? {} : { billingAmount }),
      ...(billingBatchId === null ? {} : { billingBatchId }),
    });
  };
  return (
    <FormDialog
      label="Set billing"
      kind="primary"
      disabled={disabled}
      title={`Set billing of ${formatCount(selected.size)}`}
      formLabel="Set billing"
      action={change}
      onSubmit={save}
      onDone={onDone}
      submit="Set billing"
    >
      <SelectField
        label="Status"
        name="status"
        options={billingOptions}
        value={status}
        onValue={setStatus}
      />
      <NumberField
        label="Amount per redemption in euro"
        name="amount"
        min={0}
        max={100_000_000_000}
        step="any"
        value={amount}
        onText={setAmount}
        hint="Leave empty to keep the current values."
      />
      {status !== 'UNBILLED' && (
        <TextField
          label="Batch or invoice"
          name="batch"
          required={false}
          maxLength={200}
          hint="Leave empty to keep the current values."
        />
      )}
      <BillingPreview rows={[...selected.values()]} status={status} amount={amount} />
    </FormDialog>
  );
}

type PreviewRows = { rows: readonly RedemptionRowFragment[] };

/** A preview of the change. */
function BillingPreview({
  rows,
  status,
  amount,
}: PreviewRows & { status: string; amount: string }) {
  const sum =
    amount === ''
      ? rows.reduce((total, { billingAmount }) => total + (billingAmount ?? 0), 0)
      : Number(amount) * rows.length;
  const from = [...Map.groupBy(rows, ({ billingStatus }) => billingStatus)]
    .map(([current, { length }]) => `${length.toLocaleString()} ${lowerLabel(current)}`)
    .join(', ');
  const to = lowerLabel(parseBillingStatus(status) ?? 'UNBILLED');
  return (
    <p className="notice" aria-live="polite">
      {formatCount(rows.length)} ({from}) become <strong>{to}</strong>, total{' '}
      {Number.isFinite(sum) ? formatEuro(sum) : '–'}. If one cannot be changed, none is changed.
      {status === 'UNBILLED' && ' Their billing dates and batches are cleared.'}
    </p>
  );
}

const lowerLabel = (status: RedemptionRowFragment['billingStatus']) =>
  billingLabel(status).toLowerCase();

const modes = { months: 'By months', date: 'To a date' } as const;
type ExtensionMode = keyof typeof modes;
const modeNames: readonly ExtensionMode[] = ['months', 'date'];

/** Extends sponsorships, including those that have ended. */
export function ExtendDialog({ selected, disabled = false, onDone }: DialogProps) {
  const [mode, setMode] = useState<ExtensionMode>('months');
  const [until, setUntil] = useState('');
  const extend = useGraphMutation(ExtendRedemptionsDocument, {
    invalidates,
    success: ({ extendRedemptions: { changed } }) => `${formatCount(changed)} extended`,
  });
  const save = (data: FormData) => {
    const [months, newSponsoredUntil, reason] = [
      fieldNumber(data, 'months'),
      readDateTime(data, 'until'),
      readText(data, 'reason'),
    ];
    return extend.run({
      redemptionIds: [...selected.keys()],
      ...(months === null ? {} : { months }),
      ...(newSponsoredUntil === null ? {} : { newSponsoredUntil }),
      ...(reason === null ? {} : { reason }),
    });
  };
  return (
    <FormDialog
      label="Extend"
      disabled={disabled}
      title={`Extend ${formatCount(selected.size)}`}
      formLabel="Extend"
      action={extend}
      onSubmit={save}
      onDone={onDone}
      submit="Extend"
    >
      <fieldset className="sponsorship-radios">
        <legend>Extend</legend>
        {modeNames.map((name) => (
          <label key={name} className="sponsorship-radio">
            <input
              type="radio"
              name="by"
              value={name}
              checked={mode === name}
              onChange={() => setMode(name)}
            />{' '}
            {modes[name]}
          </label>
        ))}
      </fieldset>
      {mode === 'months' ? (
        <NumberField
          key="months"
          label="Months"
          name="months"
          max={60}
          required
          defaultValue={1}
          hint="Counted from the end of each sponsorship, or from now if it has ended."
        />
      ) : (
        <TextField
          key="until"
          label="New end (UTC)"
          name="until"
          type="datetime-local"
          required
          value={until}
          onText={setUntil}
          hint="Must be later than the current end of every selected sponsorship."
        />
      )}
      <TextArea
        label="Reason"
        name="reason"
        required={false}
        maxLength={2000}
        rows={2}
        hint="Only your organization sees it."
      />
      <ExtensionPreview rows={[...selected.values()]} until={mode === 'date' ? until : ''} />
    </FormDialog>
  );
}

/**
 * A preview of the extension: how many sponsorships, their current ends, and which of them block
 * it.
 */
function ExtensionPreview({ rows, until }: PreviewRows & { until: string }) {
  const ends = rows.map(({ sponsoredUntil }) => sponsoredUntil).sort();
  const [first, last] = [formatUtcDate(ends[0] ?? ''), formatUtcDate(ends.at(-1) ?? '')];
  const endedCount = ends.filter((end) => Date.parse(end) <= Date.now()).length;
  const conflicts =
    until === ''
      ? []
      : rows.filter(({ sponsoredUntil }) => Date.parse(sponsoredUntil) >= Date.parse(`${until}Z`));
  return (
    <div aria-live="polite">
      <Notice tone={conflicts.length > 0 ? 'bad' : 'plain'}>
        <p>
          {formatCount(rows.length)}, ending{' '}
          {first === last ? first : `between ${first} and ${last}`}
          {endedCount > 0 &&
            `; ${endedCount.toLocaleString()} ${endedCount === 1 ? 'has' : 'have'} already ended`}
          . If one cannot be extended, none is extended.
        </p>
        {conflicts.length > 0 && (
          <p>
            {conflicts[0]?.organizationName}
            {conflicts.length > 1 && ` and ${(conflicts.length - 1).toLocaleString()} more`}{' '}
            {conflicts.length > 1 ? 'already end' : 'already ends'} later. Choose a later date, or
            clear the selection of these rows.
          </p>
        )}
      </Notice>
    </div>
  );
}

const formatCount = (count: number): string =>
  count === 1 ? '1 redemption' : `${count.toLocaleString()} redemptions`;
