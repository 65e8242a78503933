import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExtendRedemptionsDocument } from '../documents.ts';
import { momentIn, numberIn, textFieldValue } from '../form-values.ts';
import { counted } from './bill-dialog.tsx';
import { ExtensionPreview } from './extension-preview.tsx';
import { redemptionCacheTypes } from './redemption-cache-types.ts';
import type { Chosen } from './redemption-list.tsx';

type ExtendDialogProps = { chosen: Chosen; disabled?: boolean; onDone: () => void };
type By = 'months' | 'date';

const ways: readonly { by: By; label: string }[] = [
  { by: 'months', label: 'By months' },
  { by: 'date', label: 'To a date' },
];

/** Lets sponsorships run longer, whether or not they have ended. */
export function ExtendDialog({ chosen, disabled = false, onDone }: ExtendDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [by, setBy] = useState<By>('months');
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
      numberIn(data, 'months'),
      momentIn(data, 'until'),
      textFieldValue(data, 'reason'),
    ];
    const answer = await run({
      redemptionIds: [...chosen.keys()],
      ...(months === null ? {} : { months }),
      ...(newSponsoredUntil === null ? {} : { newSponsoredUntil }),
      ...(reason === null ? {} : { reason }),
    });
    if (!answer) return;
    toast(`${counted(answer.extendRedemptions.changed)} extended`);
    close();
    onDone();
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        Extend
      </Button>
      <Dialog title={`Extend ${counted(chosen.size)}`} open={isOpen} onClose={close}>
        <Form onSubmit={extend} fault={fault} label="Extend">
          <fieldset className="sponsorship-radios">
            <legend>How</legend>
            {ways.map(({ by: way, label }) => (
              <label key={way} className="sponsorship-radio">
                <input
                  type="radio"
                  name="by"
                  value={way}
                  checked={by === way}
                  onChange={() => setBy(way)}
                />{' '}
                {label}
              </label>
            ))}
          </fieldset>
          {by === 'months' ? (
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
              hint="From the end of each; from now where it has ended."
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
              hint="Later than the end of each."
            />
          )}
          <TextArea
            label="Reason"
            name="reason"
            required={false}
            maxLength={2000}
            rows={2}
            hint="Internal: only your organization sees it."
          />
          <ExtensionPreview chosen={chosen} until={by === 'date' ? until : ''} />
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
