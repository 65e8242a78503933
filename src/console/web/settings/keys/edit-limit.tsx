import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { type KeyPartsFragment, SetKeyLimitDocument, SetKeyLimitMaxDocument } from './documents.ts';

type Limited = Pick<KeyPartsFragment, 'id' | 'name' | 'limitPerMinute' | 'limitPerMinuteMax'>;

/** The button for administrators, and its dialog. */
export function EditLimit(key: Limited) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Edit limit<span className="sr-only"> of {key.name}</span>
      </Button>
      {isOpen && <LimitDialog {...key} onClose={() => setOpen(false)} />}
    </>
  );
}

function LimitDialog({
  id,
  name,
  limitPerMinute,
  limitPerMinuteMax,
  onClose,
}: Limited & { onClose: () => void }) {
  const { isPlatformSupport } = useViewer();
  const lower = useGraphMutation(SetKeyLimitDocument, { invalidates: ['ApiKey'] });
  const raise = useGraphMutation(SetKeyLimitMaxDocument, { invalidates: ['ApiKey'] });
  const toast = useToast();
  const limitIn = (data: FormData, field: string) =>
    textFieldValue(data, field) === '' ? null : Number(textFieldValue(data, field));
  const done = (changed: unknown) => {
    if (!changed) return;
    toast(`The limit of “${name}” is changed`);
    onClose();
  };
  return (
    <Dialog title={`Limit of “${name}”`} open onClose={onClose}>
      <Form
        label="Limit"
        onSubmit={async (data) =>
          done(await lower.run({ id, limitPerMinute: limitIn(data, 'limit') }))
        }
        fault={lower.fault}
      >
        <TextField
          label="Requests a minute"
          name="limit"
          type="number"
          min={1}
          max={limitPerMinuteMax}
          step={1}
          required={false}
          defaultValue={limitPerMinute ?? limitPerMinuteMax}
          hint={`At most ${limitPerMinuteMax}; empty for as many. Platform support can allow more.`}
        />
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={lower.busy}>
            Save
          </Button>
        </FormButtons>
      </Form>
      {isPlatformSupport && (
        <Form
          label="Limit for administrators"
          onSubmit={async (data) =>
            done(await raise.run({ id, limitPerMinuteMax: limitIn(data, 'max') }))
          }
          fault={raise.fault}
        >
          <TextField
            label="Most that administrators can set"
            name="max"
            type="number"
            min={1}
            max={2_147_483_647}
            step={1}
            required={false}
            defaultValue={limitPerMinuteMax}
            hint="You see this because you work for the platform. Empty for the default."
          />
          <FormButtons>
            <Button type="submit" busy={raise.busy}>
              Save the most
            </Button>
          </FormButtons>
        </Form>
      )}
    </Dialog>
  );
}
