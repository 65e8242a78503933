import { Link } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { t, withTexts } from '../../texts/text.ts';
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

const options = () => ({ invalidates: ['Organization'], success: t('organization.saved') });

export function OrganizationName({ name }: { name: string }) {
  const { run, busy, fault } = useGraphMutation(RenameOrganizationDocument, {
    success: t('organization.renamed'),
  });
  return (
    <Card title={t('organization.organizationName')}>
      <Form
        label={t('organization.renameOrganization')}
        onSubmit={(data) => run({ name: fieldText(data, 'name') })}
        action={{ busy, fault }}
        submit={t('organization.rename')}
        className="settings-form"
      >
        <NameField defaultValue={name} maxLength={80} autoComplete="organization" />
      </Form>
    </Card>
  );
}

type Policy = OrganizationTermsQuery['organization']['secondFactorPolicy'];

const policies: { value: Policy; label: PlainKey }[] = [
  { value: 'OPTIONAL', label: 'organization.nobody' },
  { value: 'ADMINISTRATORS', label: 'organization.administrators' },
  { value: 'EVERYBODY', label: 'organization.everybody' },
];

/** Sets who must sign in with a second factor. */
export function SecondFactorPolicy({ policy }: { policy: Policy }) {
  const { run, busy, fault } = useGraphMutation(SetSecondFactorPolicyDocument, options());
  const save = (data: FormData) => {
    const chosen = policies.find(({ value }) => value === fieldText(data, 'policy'));
    return run({ policy: chosen?.value ?? policy });
  };
  return (
    <Card title={t('organization.secondFactor')}>
      <Form
        label={t('organization.secondFactorRequirement')}
        onSubmit={save}
        action={{ busy, fault }}
        submit={t('organization.savePolicy')}
        className="settings-form"
      >
        <SelectField
          label={t('organization.requiredFor')}
          name="policy"
          options={withTexts(policies)}
          defaultValue={policy}
          hint={t('organization.requiredForHint')}
        />
        {fault?.reason === 'NO_SECOND_FACTOR' && (
          <p>
            <Link href="/security">{t('organization.setUpSecondFactor')}</Link>
          </p>
        )}
      </Form>
    </Card>
  );
}

/** The features, with the texts that people see. */
export const featureTexts: readonly { feature: Feature; label: PlainKey; hint: PlainKey }[] = [
  {
    feature: 'ASSISTANT_FILES',
    label: 'organization.assistantFiles',
    hint: 'organization.assistantFilesHint',
  },
  {
    feature: 'USER_MANAGEMENT',
    label: 'organization.userManagement',
    hint: 'organization.userManagementHint',
  },
  {
    feature: 'USER_ROLES',
    label: 'organization.userRoles',
    hint: 'organization.userRolesHint',
  },
  {
    feature: 'EVENTS',
    label: 'organization.events',
    hint: 'organization.eventsHint',
  },
  {
    feature: 'PARTNER_SPONSORSHIP',
    label: 'organization.partnerSponsorship',
    hint: 'organization.partnerSponsorshipHint',
  },
  {
    feature: 'PARTNER_SPONSORSHIP_API',
    label: 'organization.partnerSponsorshipApi',
    hint: 'organization.partnerSponsorshipApiHint',
  },
];

type SupportTermsProps = { id: string; features: readonly string[]; seatLimit: number | null };

/** The features and seats of the organization, which platform support can change. */
export function SupportTerms({ id, features, seatLimit }: SupportTermsProps) {
  const { run, busy, fault } = useGraphMutation(SetOrganizationTermsDocument, options());
  const save = (data: FormData) =>
    run({
      organizationId: id,
      features: featureTexts.map(({ feature }) => feature).filter((feature) => data.has(feature)),
      seatLimit: fieldNumber(data, 'seatLimit'),
    });
  return (
    <Form
      label={t('organization.organizationTerms')}
      onSubmit={save}
      action={{ busy, fault }}
      submit={t('organization.save')}
      guardsChanges
      className="settings-form"
    >
      <p className="quiet">{t('organization.supportHint')}</p>
      {featureTexts.map(({ feature, label, hint }) => (
        <CheckField
          key={feature}
          label={t(label)}
          hint={t(hint)}
          name={feature}
          defaultChecked={features.includes(feature)}
        />
      ))}
      <NumberField
        label={t('organization.seats')}
        name="seatLimit"
        defaultValue={seatLimit ?? ''}
        hint={t('organization.seatsHint')}
      />
    </Form>
  );
}
