import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { billingLabel, billingOptions, parseBillingStatus } from '../billing-status.tsx';
import { SetRedemptionsBillingDocument } from '../documents.ts';
import { readNumber, readText } from '../form-values.ts';
import { formatEuro } from '../money.ts';
import { redemptionCacheTypes } from './redemption-cache-types.ts';
import type { SelectedRedemptions } from './selected-redemptions.ts';

type BillingDialogProps = { selected: SelectedRedemptions; disabled?: boolean; onDone: () => void };

/**
 * Sets the billing of several redemptions. The lists show the new values only after the API has
 * accepted them.
 */
export function BillingDialog({ selected, disabled = false, onDone }: BillingDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [status, setStatus] = useState('BILLED');
  const [amount, setAmount] = useState('');
  const { run, busy, fault, clear } = useGraphMutation(SetRedemptionsBillingDocument, {
    invalidates: redemptionCacheTypes,
  });
  const toast = useToast();
  const close = () => {
    clear();
    setOpen(false);
  };
  const bill = async (data: FormData) => {
    const [billingAmount, billingBatchId] = [readNumber(data, 'amount'), readText(data, 'batch')];
    const answer = await run({
      redemptionIds: [...selected.keys()],
      billingStatus: parseBillingStatus(data.get('status')) ?? 'UNBILLED',
      ...(billingAmount === null ? {} : { billingAmount }),
      ...(billingBatchId === null ? {} : { billingBatchId }),
    });
    if (!answer) return;
    toast(`The billing of ${formatCount(answer.setRedemptionsBilling.changed)} was set`);
    close();
    onDone();
  };
  return (
    <>
      <Button kind="primary" disabled={disabled} onClick={() => setOpen(true)}>
        Set billing
      </Button>
      <Dialog title={`Set billing of ${formatCount(selected.size)}`} open={isOpen} onClose={close}>
        <Form onSubmit={bill} fault={fault} label="Set billing">
          <SelectField
            label="Status"
            name="status"
            options={billingOptions}
            value={status}
            onChange={({ target }) => setStatus(target.value)}
          />
          <TextField
            label="Amount per redemption in euro"
            name="amount"
            type="number"
            min={0}
            max={100_000_000_000}
            step="any"
            required={false}
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
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
          <BillingPreview selected={selected} status={status} amount={amount} />
          <FormButtons>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Set billing
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
    </>
  );
}

/** A preview of the change. */
function BillingPreview({
  selected,
  status,
  amount,
}: {
  selected: SelectedRedemptions;
  status: string;
  amount: string;
}) {
  const rows = [...selected.values()];
  const sum =
    amount === ''
      ? rows.reduce((total, { billingAmount }) => total + (billingAmount ?? 0), 0)
      : Number(amount) * rows.length;
  const rowsByStatus = Map.groupBy(rows, ({ billingStatus }) => billingStatus);
  const from = [...rowsByStatus]
    .map(
      ([currentStatus, { length }]) =>
        `${length.toLocaleString()} ${billingLabel(currentStatus).toLowerCase()}`,
    )
    .join(', ');
  const to = billingLabel(parseBillingStatus(status) ?? 'UNBILLED').toLowerCase();
  return (
    <p className="notice" aria-live="polite">
      {formatCount(rows.length)} ({from}) become <strong>{to}</strong>, total{' '}
      {Number.isFinite(sum) ? formatEuro(sum) : '–'}. If one cannot be changed, none is changed.
      {status === 'UNBILLED' && ' Their billing dates and batches are cleared.'}
    </p>
  );
}

export const formatCount = (count: number): string =>
  count === 1 ? '1 redemption' : `${count.toLocaleString()} redemptions`;
