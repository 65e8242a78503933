import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExtendRedemptionsDocument } from '../documents.ts';
import { readDateTime, readNumber, readText } from '../form-values.ts';
import { formatCount } from './billing-dialog.tsx';
import { ExtensionPreview } from './extension-preview.tsx';
import { redemptionCacheTypes } from './redemption-cache-types.ts';
import type { SelectedRedemptions } from './selected-redemptions.ts';

type ExtendDialogProps = { selected: SelectedRedemptions; disabled?: boolean; onDone: () => void };
type ExtensionMode = 'months' | 'date';

const modes: readonly { mode: ExtensionMode; label: string }[] = [
  { mode: 'months', label: 'By months' },
  { mode: 'date', label: 'To a date' },
];

/** Extends sponsorships, including those that have ended. */
export function ExtendDialog({ selected, disabled = false, onDone }: ExtendDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [mode, setMode] = useState<ExtensionMode>('months');
  const [until, setUntil] = useState('');
  const { run, busy, fault, clear } = useGraphMutation(ExtendRedemptionsDocument, {
    invalidates: redemptionCacheTypes,
  });
  const toast = useToast();
  const close = () => {
    clear();
    setOpen(false);
  };
  const extend = async (data: FormData) => {
    const [months, newSponsoredUntil, reason] = [
      readNumber(data, 'months'),
      readDateTime(data, 'until'),
      readText(data, 'reason'),
    ];
    const answer = await run({
      redemptionIds: [...selected.keys()],
      ...(months === null ? {} : { months }),
      ...(newSponsoredUntil === null ? {} : { newSponsoredUntil }),
      ...(reason === null ? {} : { reason }),
    });
    if (!answer) return;
    toast(`${formatCount(answer.extendRedemptions.changed)} extended`);
    close();
    onDone();
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        Extend
      </Button>
      <Dialog title={`Extend ${formatCount(selected.size)}`} open={isOpen} onClose={close}>
        <Form onSubmit={extend} fault={fault} label="Extend">
          <fieldset className="sponsorship-radios">
            <legend>Extend</legend>
            {modes.map(({ mode: option, label }) => (
              <label key={option} className="sponsorship-radio">
                <input
                  type="radio"
                  name="by"
                  value={option}
                  checked={mode === option}
                  onChange={() => setMode(option)}
                />{' '}
                {label}
              </label>
            ))}
          </fieldset>
          {mode === 'months' ? (
            <TextField
              key="months"
              label="Months"
              name="months"
              type="number"
              min={1}
              max={60}
              step={1}
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
              onChange={({ target }) => setUntil(target.value)}
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
          <ExtensionPreview selected={selected} until={mode === 'date' ? until : ''} />
          <FormButtons>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Extend
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
    </>
  );
}
