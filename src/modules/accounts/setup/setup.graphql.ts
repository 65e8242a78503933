import { inputRule, secretRule, textContract } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { organizationNameRule } from '../../organizations/organization-name.graphql.ts';
import { personNameRule } from '../../users/user.graphql.ts';
import '../../users/email-address.graphql.ts';
import { Organization } from '../../organizations/organization.graphql.ts';
import { parseNewPassword, passwordMax, passwordMin } from '../passwords/new-password.ts';
import { completeSetup } from './complete-setup.ts';

/** A password as it was typed, spaces at its ends included. */
export const newPasswordRule = inputRule(
  {
    ...textContract({ min: passwordMin, max: passwordMax }),
    jsonSchema: {
      type: 'string',
      format: 'password',
      minLength: passwordMin,
      maxLength: passwordMax,
    },
  },
  parseNewPassword,
);

mutation('completeSetup', {
  description:
    'Creates the first organization and its administrator. The token is in the link that the first start printed; it works once.',
  // This field needs no scope: the token is the credential.
  authScopes: {},
  input: (t) => ({
    token: t.string({
      rule: secretRule,
      description: 'The token in the link that the first start printed.',
    }),
    organizationName: t.field({
      type: 'String',
      rule: organizationNameRule,
      description: 'The name of the first organization.',
    }),
    firstName: t.field({
      type: 'String',
      rule: personNameRule,
      description: 'The first name of the administrator.',
    }),
    lastName: t.field({
      type: 'String',
      rule: personNameRule,
      description: 'The last name of the administrator.',
    }),
    email: t.field({
      type: 'EmailAddress',
      description: 'The e-mail address of the administrator.',
    }),
    password: t.field({
      type: 'String',
      rule: newPasswordRule,
      description: 'The password of the administrator.',
    }),
  }),
  resolve: (input, { database, clock, requestId }) =>
    completeSetup(input, { database, clock, requestId }),
  payload: (t) => ({
    organizationKey: t.exposeString('organizationKey', {
      description: 'A key of the organization. It can not be shown again.',
    }),
    organization: t.prismaField({
      type: Organization,
      description: 'The new organization.',
      resolve: (query, { organizationId }, _, { database }) =>
        database.prisma.organization.findUniqueOrThrow({ ...query, where: { id: organizationId } }),
    }),
  }),
});
