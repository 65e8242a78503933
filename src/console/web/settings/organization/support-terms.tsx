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

/** What the organization is given, for platform support to set. */
export function SupportTerms({ id, features, seatLimit }: SupportTermsProps) {
  const { run, busy, fault } = useGraphMutation(SetOrganizationTermsDocument, {
    invalidates: ['Organization'],
  });
  const toast = useToast();
  const save = async (data: FormData) => {
    const seats = textFieldValue(data, 'seatLimit');
    const chosen = featureTexts
      .map(({ feature }) => feature)
      .filter((feature) => data.has(feature));
    const done = await run({
      organizationId: id,
      features: chosen,
      seatLimit: seats === '' ? null : Number(seats),
    });
    if (done) toast('Saved; it holds from now on');
  };
  return (
    <Form
      label="What the organization is given"
      onSubmit={save}
      fault={fault}
      className="settings-form"
    >
      <p className="quiet">
        You see switches because you work for the platform. What you change stands in the
        organization’s audit log.
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
        hint="How many members there can be; empty for no limit."
      />
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Save
        </Button>
      </FormButtons>
    </Form>
  );
}
