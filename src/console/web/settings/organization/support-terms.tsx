import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { SetOrganizationTermsDocument } from './documents.ts';
import { featureTexts } from './features.ts';

type SupportTermsProps = { id: string; features: readonly string[]; seatLimit: number | null };

/** The features and seats of the organization, which platform support can change. */
export function SupportTerms({ id, features, seatLimit }: SupportTermsProps) {
  const { run, busy, fault } = useGraphMutation(SetOrganizationTermsDocument, {
    invalidates: ['Organization'],
  });
  const toast = useToast();
  const save = async (data: FormData) => {
    const seats = textFieldValue(data, 'seatLimit');
    const enabledFeatures = featureTexts
      .map(({ feature }) => feature)
      .filter((feature) => data.has(feature));
    const result = await run({
      organizationId: id,
      features: enabledFeatures,
      seatLimit: seats === '' ? null : Number(seats),
    });
    if (result) toast('Saved. It applies immediately');
  };
  return (
    <Form label="Organization terms" onSubmit={save} fault={fault} className="settings-form">
      <p className="quiet">
        You can change these because you are platform support. The organization’s audit log records
        your changes.
      </p>
      {featureTexts.map(({ feature, label, hint }) => (
        <CheckField
          key={feature}
          label={label}
          hint={hint}
          name={feature}
          defaultChecked={features.includes(feature)}
        />
      ))}
      <TextField
        label="Seats"
        name="seatLimit"
        type="number"
        min={1}
        max={2_147_483_647}
        step={1}
        required={false}
        defaultValue={seatLimit ?? ''}
        hint="The maximum number of members. Leave empty for no limit."
      />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Save
        </Button>
      </FormButtons>
    </Form>
  );
}
