import { useGraphMutation } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
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
  <DialogButton
    label={t('keys.editLimit')}
    subject={t('keys.ofName', { name: key.name })}
    title={t('keys.limitOf', { name: key.name })}
  >
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
  const options = { invalidates: ['ApiKey'], success: t('keys.limitChanged', { name }) };
  const setLimit = useGraphMutation(SetKeyLimitDocument, options);
  const setLimitMax = useGraphMutation(SetKeyLimitMaxDocument, options);
  return (
    <>
      <Form
        label={t('keys.limit')}
        onSubmit={async (data) =>
          (await setLimit.run({ id, limitPerMinute: fieldNumber(data, 'limit') })) && onClose()
        }
        action={setLimit}
        submit={t('keys.save')}
        buttons={<Button onClick={onClose}>{t('ui.cancel')}</Button>}
      >
        <NumberField
          label={t('keys.requestsPerMinute')}
          name="limit"
          max={limitPerMinuteMax}
          defaultValue={limitPerMinute ?? limitPerMinuteMax}
          hint={t('keys.limitHint', { limitPerMinuteMax })}
        />
      </Form>
      {isPlatformSupport && (
        <Form
          label={t('keys.maximumLimit')}
          onSubmit={async (data) =>
            (await setLimitMax.run({ id, limitPerMinuteMax: fieldNumber(data, 'max') })) &&
            onClose()
          }
          action={setLimitMax}
          submit={t('keys.saveMaximum')}
          submitKind="plain"
        >
          <NumberField
            label={t('keys.maximumForAdministrators')}
            name="max"
            defaultValue={limitPerMinuteMax}
            hint={t('keys.maximumHint')}
          />
        </Form>
      )}
    </>
  );
}
