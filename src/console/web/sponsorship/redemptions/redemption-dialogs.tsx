import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { formatNumber } from '../../texts/format.ts';
import { richText, t } from '../../texts/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { DateTimeField, NumberField, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
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
    success: ({ setRedemptionsBilling: { changed } }) => t('redemptions.billingSet', { changed }),
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
      label={t('redemptions.setBilling')}
      kind="primary"
      disabled={disabled}
      title={t('redemptions.setBillingOf', { count: selected.size })}
      formLabel={t('redemptions.setBilling')}
      action={change}
      onSubmit={save}
      onDone={onDone}
      submit={t('redemptions.setBilling')}
    >
      <SelectField
        label={t('redemptions.status')}
        name="status"
        options={billingOptions()}
        value={status}
        onValue={setStatus}
      />
      <NumberField
        label={t('redemptions.amountEach')}
        name="amount"
        min={0}
        max={100_000_000_000}
        step="any"
        value={amount}
        onText={setAmount}
        hint={t('redemptions.emptyToKeep')}
      />
      {status !== 'UNBILLED' && (
        <TextField
          label={t('redemptions.batch')}
          name="batch"
          required={false}
          maxLength={200}
          hint={t('redemptions.emptyToKeep')}
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
    .map(([current, { length }]) => `${formatNumber(length)} ${lowerLabel(current)}`)
    .join(', ');
  const to = lowerLabel(parseBillingStatus(status) ?? 'UNBILLED');
  return (
    <p className="notice" aria-live="polite">
      {richText('redemptions.billingPreview', {
        count: rows.length,
        from,
        to,
        // Fourteen digits hide the floating-point error of the sum.
        sum: Number.isFinite(sum) ? formatEuro(Number(sum.toPrecision(14))) : '–',
        status,
        b: (text) => <strong>{text}</strong>,
      })}
    </p>
  );
}

const lowerLabel = (status: RedemptionRowFragment['billingStatus']) =>
  billingLabel(status).toLowerCase();

const modes = { months: 'redemptions.byMonths', date: 'redemptions.toDate' } as const;
type ExtensionMode = keyof typeof modes;
const modeNames: readonly ExtensionMode[] = ['months', 'date'];

/** Extends sponsorships, including those that have ended. */
export function ExtendDialog({ selected, disabled = false, onDone }: DialogProps) {
  const [mode, setMode] = useState<ExtensionMode>('months');
  const [until, setUntil] = useState('');
  const extend = useGraphMutation(ExtendRedemptionsDocument, {
    invalidates,
    success: ({ extendRedemptions: { changed } }) => t('redemptions.extended', { changed }),
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
      label={t('redemptions.extend')}
      disabled={disabled}
      title={t('redemptions.extendCount', { count: selected.size })}
      formLabel={t('redemptions.extend')}
      action={extend}
      onSubmit={save}
      onDone={onDone}
      submit={t('redemptions.extend')}
    >
      <fieldset className="sponsorship-radios">
        <legend>{t('redemptions.extend')}</legend>
        {modeNames.map((name) => (
          <label key={name} className="sponsorship-radio">
            <input
              type="radio"
              name="by"
              value={name}
              checked={mode === name}
              onChange={() => setMode(name)}
            />{' '}
            {t(modes[name])}
          </label>
        ))}
      </fieldset>
      {mode === 'months' ? (
        <NumberField
          key="months"
          label={t('redemptions.months')}
          name="months"
          max={60}
          required
          defaultValue={1}
          hint={t('redemptions.monthsHint')}
        />
      ) : (
        <DateTimeField
          key="until"
          label={t('redemptions.newEnd')}
          name="until"
          required
          value={until}
          onText={setUntil}
          hint={t('redemptions.newEndHint')}
        />
      )}
      <TextArea
        label={t('redemptions.reason')}
        name="reason"
        required={false}
        maxLength={2000}
        rows={2}
        hint={t('redemptions.reasonHint')}
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
          {t('redemptions.extensionPreview', {
            count: rows.length,
            range: first === last ? first : t('redemptions.between', { first, last }),
            endedCount,
          })}
        </p>
        {conflicts.length > 0 && (
          <p>
            {t('redemptions.conflicts', {
              name: conflicts[0]?.organizationName ?? '',
              more: conflicts.length - 1,
            })}
          </p>
        )}
      </Notice>
    </div>
  );
}
