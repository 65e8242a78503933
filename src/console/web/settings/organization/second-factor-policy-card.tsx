import { useState } from 'react';
import { Link } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { textFieldValue } from '../text-field-value.ts';
import { type OrganizationTermsQuery, SetSecondFactorPolicyDocument } from './documents.ts';

type Policy = OrganizationTermsQuery['organization']['secondFactorPolicy'];

const options: { value: Policy; label: string }[] = [
  { value: 'OPTIONAL', label: 'Nobody' },
  { value: 'ADMINISTRATORS', label: 'Administrators' },
  { value: 'EVERYBODY', label: 'Everybody' },
];

/** Who must show more than a password to work here. */
export function SecondFactorPolicyCard({ policy }: { policy: Policy }) {
  const { run, busy, fault, clear } = useGraphMutation(SetSecondFactorPolicyDocument, {
    invalidates: ['Organization'],
  });
  const [chosen, setChosen] = useState(policy);
  const toast = useToast();
  const save = async (wanted: Policy) => {
    setChosen(wanted);
    if (await run({ policy: wanted })) toast('Saved; it holds from now on');
  };
  return (
    <Card title="Second factor">
      <Form
        label="Who needs a second factor"
        onSubmit={(data) =>
          save(
            options.find(({ value }) => value === textFieldValue(data, 'policy'))?.value ?? policy,
          )
        }
        fault={isNotRecent(fault) ? undefined : fault}
        className="settings-form"
      >
        <SelectField
          label="Required of"
          name="policy"
          options={options}
          defaultValue={policy}
          hint="People without one set it up before they can go on. Keys of the API are not concerned."
        />
        {fault?.reason === 'NO_SECOND_FACTOR' && (
          <p>
            <Link href="/security">Set up your second factor</Link>
          </p>
        )}
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save the requirement
          </Button>
        </FormButtons>
      </Form>
      <ConfirmPassword fault={fault} onConfirmed={() => save(chosen)} onClose={clear} />
    </Card>
  );
}
