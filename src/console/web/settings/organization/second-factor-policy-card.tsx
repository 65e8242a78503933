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

type SecondFactorPolicy = OrganizationTermsQuery['organization']['secondFactorPolicy'];

const options: { value: SecondFactorPolicy; label: string }[] = [
  { value: 'OPTIONAL', label: 'Nobody' },
  { value: 'ADMINISTRATORS', label: 'Administrators' },
  { value: 'EVERYBODY', label: 'Everybody' },
];

/** Sets who must sign in with a second factor. */
export function SecondFactorPolicyCard({ policy }: { policy: SecondFactorPolicy }) {
  const { run, busy, fault, clear } = useGraphMutation(SetSecondFactorPolicyDocument, {
    invalidates: ['Organization'],
  });
  const [submitted, setSubmitted] = useState(policy);
  const toast = useToast();
  const save = async (newPolicy: SecondFactorPolicy) => {
    setSubmitted(newPolicy);
    if (await run({ policy: newPolicy })) toast('Saved. It applies immediately');
  };
  return (
    <Card title="Second factor">
      <Form
        label="Second factor requirement"
        onSubmit={(data) =>
          save(
            options.find(({ value }) => value === textFieldValue(data, 'policy'))?.value ?? policy,
          )
        }
        fault={isNotRecent(fault) ? undefined : fault}
        className="settings-form"
      >
        <SelectField
          label="Required for"
          name="policy"
          options={options}
          defaultValue={policy}
          hint="People without a second factor must set one up before they can continue. API keys are not affected."
        />
        {fault?.reason === 'NO_SECOND_FACTOR' && (
          <p>
            <Link href="/security">Set up your second factor</Link>
          </p>
        )}
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save policy
          </Button>
        </FormButtons>
      </Form>
      <ConfirmPassword fault={fault} onConfirmed={() => save(submitted)} onClose={clear} />
    </Card>
  );
}
