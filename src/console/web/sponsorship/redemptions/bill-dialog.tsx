import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { billingLabel, billingOptions, billingStatusIn } from '../billing-status.tsx';
import { SetRedemptionsBillingDocument } from '../documents.ts';
import { numberIn, textFieldValue } from '../form-values.ts';
import { eur } from '../money.ts';
import { redemptionCacheTypes } from './redemption-cache-types.ts';
import type { Chosen } from './redemption-list.tsx';

type BillDialogProps = { chosen: Chosen; disabled?: boolean; onDone: () => void };

/** Bills redemptions together. Money is never shown as changed before it is. */
export function BillDialog({ chosen, disabled = false, onDone }: BillDialogProps) {
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
    const [billingAmount, billingBatchId] = [
      numberIn(data, 'amount'),
      textFieldValue(data, 'batch'),
    ];
    const answer = await run({
      redemptionIds: [...chosen.keys()],
      billingStatus: billingStatusIn(data.get('status')) ?? 'UNBILLED',
      ...(billingAmount === null ? {} : { billingAmount }),
      ...(billingBatchId === null ? {} : { billingBatchId }),
    });
    if (!answer) return;
    toast(`The billing of ${counted(answer.setRedemptionsBilling.changed)} was set`);
    close();
    onDone();
  };
  return (
    <>
      <Button kind="primary" disabled={disabled} onClick={() => setOpen(true)}>
        Set billing
      </Button>
      <Dialog title={`Set billing of ${counted(chosen.size)}`} open={isOpen} onClose={close}>
        <Form onSubmit={bill} fault={fault} label="Set billing">
          <SelectField
            label="Status"
            name="status"
            options={billingOptions}
            value={status}
            onChange={({ target }) => setStatus(target.value)}
          />
          <TextField
            label="Amount of each in euro"
            name="amount"
            type="number"
            min={0}
            max={100_000_000_000}
            step="any"
            required={false}
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
            hint="Empty: each keeps its own."
          />
          {status !== 'UNBILLED' && (
            <TextField
              label="Batch or invoice"
              name="batch"
              required={false}
              maxLength={200}
              hint="Empty: each keeps its own."
            />
          )}
          <Preview chosen={chosen} status={status} amount={amount} />
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

/** What will be, before it is. */
function Preview({ chosen, status, amount }: { chosen: Chosen; status: string; amount: string }) {
  const rows = [...chosen.values()];
  const sum =
    amount === ''
      ? rows.reduce((total, { billingAmount }) => total + (billingAmount ?? 0), 0)
      : Number(amount) * rows.length;
  const before = Map.groupBy(rows, ({ billingStatus }) => billingStatus);
  const from = [...before]
    .map(([one, { length }]) => `${length.toLocaleString()} ${billingLabel(one).toLowerCase()}`)
    .join(', ');
  const to = billingLabel(billingStatusIn(status) ?? 'UNBILLED').toLowerCase();
  return (
    <p className="notice" aria-live="polite">
      {counted(rows.length)} ({from}) become <strong>{to}</strong>, together{' '}
      {Number.isFinite(sum) ? eur(sum) : '–'}. All of them, or none.
      {status === 'UNBILLED' && ' Their billing dates and batches are cleared.'}
    </p>
  );
}

export const counted = (count: number): string =>
  count === 1 ? '1 redemption' : `${count.toLocaleString()} redemptions`;
