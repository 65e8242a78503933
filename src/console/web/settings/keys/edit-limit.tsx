import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import {
  type ApiKeyFieldsFragment,
  SetKeyLimitDocument,
  SetKeyLimitMaxDocument,
} from './documents.ts';

type LimitedKey = Pick<
  ApiKeyFieldsFragment,
  'id' | 'name' | 'limitPerMinute' | 'limitPerMinuteMax'
>;

/** A button and dialog for administrators to change the rate limit of a key. */
export function EditLimit(key: LimitedKey) {
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
}: LimitedKey & { onClose: () => void }) {
  const { isPlatformSupport } = useViewer();
  const setLimit = useGraphMutation(SetKeyLimitDocument, { invalidates: ['ApiKey'] });
  const setLimitMax = useGraphMutation(SetKeyLimitMaxDocument, { invalidates: ['ApiKey'] });
  const toast = useToast();
  const parseLimit = (data: FormData, field: string) =>
    textFieldValue(data, field) === '' ? null : Number(textFieldValue(data, field));
  const finish = (changed: unknown) => {
    if (!changed) return;
    toast(`The limit of “${name}” was changed`);
    onClose();
  };
  return (
    <Dialog title={`Limit of “${name}”`} open onClose={onClose}>
      <Form
        label="Limit"
        onSubmit={async (data) =>
          finish(await setLimit.run({ id, limitPerMinute: parseLimit(data, 'limit') }))
        }
        fault={setLimit.fault}
      >
        <TextField
          label="Requests per minute"
          name="limit"
          type="number"
          min={1}
          max={limitPerMinuteMax}
          step={1}
          required={false}
          defaultValue={limitPerMinute ?? limitPerMinuteMax}
          hint={`At most ${limitPerMinuteMax}. Leave empty for the maximum. Platform support can raise it.`}
        />
        <FormButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={setLimit.busy}>
            Save
          </Button>
        </FormButtons>
      </Form>
      {isPlatformSupport && (
        <Form
          label="Maximum limit"
          onSubmit={async (data) =>
            finish(await setLimitMax.run({ id, limitPerMinuteMax: parseLimit(data, 'max') }))
          }
          fault={setLimitMax.fault}
        >
          <TextField
            label="Maximum that administrators can set"
            name="max"
            type="number"
            min={1}
            max={2_147_483_647}
            step={1}
            required={false}
            defaultValue={limitPerMinuteMax}
            hint="You see this because you are platform support. Leave empty for the default."
          />
          <FormButtons>
            <Button type="submit" busy={setLimitMax.busy}>
              Save maximum
            </Button>
          </FormButtons>
        </Form>
      )}
    </Dialog>
  );
}
