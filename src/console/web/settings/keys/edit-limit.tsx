import { useGraphMutation } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { Form, fieldNumber } from '../../ui/form.tsx';
import {
  type ApiKeyFieldsFragment,
  SetKeyLimitDocument,
  SetKeyLimitMaxDocument,
} from './documents.ts';

/** A button and dialog for administrators to change the rate limit of a key. */
export const EditLimit = (key: ApiKeyFieldsFragment) => (
  <DialogButton label="Edit limit" subject={`of ${key.name}`} title={`Limit of “${key.name}”`}>
    {(close) => <LimitForms {...key} onClose={close} />}
  </DialogButton>
);

function LimitForms({
  id,
  name,
  limitPerMinute,
  limitPerMinuteMax,
  onClose,
}: ApiKeyFieldsFragment & { onClose: () => void }) {
  const { isPlatformSupport } = useViewer();
  const options = { invalidates: ['ApiKey'], success: `The limit of “${name}” was changed` };
  const setLimit = useGraphMutation(SetKeyLimitDocument, options);
  const setLimitMax = useGraphMutation(SetKeyLimitMaxDocument, options);
  return (
    <>
      <Form
        label="Limit"
        onSubmit={async (data) =>
          (await setLimit.run({ id, limitPerMinute: fieldNumber(data, 'limit') })) && onClose()
        }
        action={setLimit}
        submit="Save"
        buttons={<Button onClick={onClose}>Cancel</Button>}
      >
        <NumberField
          label="Requests per minute"
          name="limit"
          max={limitPerMinuteMax}
          defaultValue={limitPerMinute ?? limitPerMinuteMax}
          hint={`At most ${limitPerMinuteMax}. Leave empty for the maximum. Platform support can raise it.`}
        />
      </Form>
      {isPlatformSupport && (
        <Form
          label="Maximum limit"
          onSubmit={async (data) =>
            (await setLimitMax.run({ id, limitPerMinuteMax: fieldNumber(data, 'max') })) &&
            onClose()
          }
          action={setLimitMax}
          submit="Save maximum"
          submitKind="plain"
        >
          <NumberField
            label="Maximum that administrators can set"
            name="max"
            defaultValue={limitPerMinuteMax}
            hint="You see this because you are platform support. Leave empty for the default."
          />
        </Form>
      )}
    </>
  );
}
