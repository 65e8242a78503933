import { Link } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { CheckField, NameField, NumberField, SelectField } from '../../ui/fields.tsx';
import { Form, fieldNumber, fieldText } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import {
  type Feature,
  type OrganizationTermsQuery,
  RenameOrganizationDocument,
  SetOrganizationTermsDocument,
  SetSecondFactorPolicyDocument,
} from './documents.ts';

const options = { invalidates: ['Organization'], success: 'Saved. It applies immediately' };

export function OrganizationName({ name }: { name: string }) {
  const { run, busy, fault } = useGraphMutation(RenameOrganizationDocument, {
    success: 'The organization was renamed',
  });
  return (
    <Card title="Organization name">
      <Form
        label="Rename the organization"
        onSubmit={(data) => run({ name: fieldText(data, 'name') })}
        action={{ busy, fault }}
        submit="Rename"
        className="settings-form"
      >
        <NameField defaultValue={name} maxLength={80} autoComplete="organization" />
      </Form>
    </Card>
  );
}

type Policy = OrganizationTermsQuery['organization']['secondFactorPolicy'];

const policies: { value: Policy; label: string }[] = [
  { value: 'OPTIONAL', label: 'Nobody' },
  { value: 'ADMINISTRATORS', label: 'Administrators' },
  { value: 'EVERYBODY', label: 'Everybody' },
];

/** Sets who must sign in with a second factor. */
export function SecondFactorPolicy({ policy }: { policy: Policy }) {
  const { run, busy, fault } = useGraphMutation(SetSecondFactorPolicyDocument, options);
  const save = (data: FormData) => {
    const chosen = policies.find(({ value }) => value === fieldText(data, 'policy'));
    return run({ policy: chosen?.value ?? policy });
  };
  return (
    <Card title="Second factor">
      <Form
        label="Second factor requirement"
        onSubmit={save}
        action={{ busy, fault }}
        submit="Save policy"
        className="settings-form"
      >
        <SelectField
          label="Required for"
          name="policy"
          options={policies}
          defaultValue={policy}
          hint="People without a second factor must set one up before they can continue. API keys are not affected."
        />
        {fault?.reason === 'NO_SECOND_FACTOR' && (
          <p>
            <Link href="/security">Set up your second factor</Link>
          </p>
        )}
      </Form>
    </Card>
  );
}

/** The features, with the texts that people see. */
export const featureTexts: readonly { feature: Feature; label: string; hint: string }[] = [
  {
    feature: 'ASSISTANT_FILES',
    label: 'Assistant files',
    hint: 'Assistants answer from documents that people upload.',
  },
  {
    feature: 'USER_MANAGEMENT',
    label: 'User Management API',
    hint: 'Programs add, list and remove users and teams with an organization key.',
  },
  {
    feature: 'USER_ROLES',
    label: 'Roles by API',
    hint: 'Programs make users administrators with an organization key.',
  },
  {
    feature: 'EVENTS',
    label: 'Events',
    hint: 'Programs follow what happens, with an organization key.',
  },
  {
    feature: 'PARTNER_SPONSORSHIP',
    label: 'Partner sponsorship',
    hint: 'The organization sponsors workspaces of others with links.',
  },
  {
    feature: 'PARTNER_SPONSORSHIP_API',
    label: 'Partner Sponsorship API',
    hint: 'Programs manage sponsorship with an organization key.',
  },
];

type SupportTermsProps = { id: string; features: readonly string[]; seatLimit: number | null };

/** The features and seats of the organization, which platform support can change. */
export function SupportTerms({ id, features, seatLimit }: SupportTermsProps) {
  const { run, busy, fault } = useGraphMutation(SetOrganizationTermsDocument, options);
  const save = (data: FormData) =>
    run({
      organizationId: id,
      features: featureTexts.map(({ feature }) => feature).filter((feature) => data.has(feature)),
      seatLimit: fieldNumber(data, 'seatLimit'),
    });
  return (
    <Form
      label="Organization terms"
      onSubmit={save}
      action={{ busy, fault }}
      submit="Save"
      guardsChanges
      className="settings-form"
    >
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
      <NumberField
        label="Seats"
        name="seatLimit"
        defaultValue={seatLimit ?? ''}
        hint="The maximum number of members. Leave empty for no limit."
      />
    </Form>
  );
}
