import { builder } from '../../../graph/schema/builder.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { scalar, textScalar } from '../../../graph/schema/scalars.ts';
import '../../users/email-address.graphql.ts';
import '../../users/user.graphql.ts';
import { Organization } from '../../organizations/organization.graphql.ts';
import { parseNewPassword, passwordMax, passwordMin } from '../passwords/new-password.ts';
import { completeSetup } from './complete-setup.ts';

declare module '../../../graph/schema/builder.ts' {
  interface Scalars {
    NewPassword: { Input: string; Output: string };
    OrganizationName: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'OrganizationName',
  textScalar('OrganizationName', {
    min: 1,
    max: 80,
    isName: true,
    description: 'The display name of an organization.',
  }),
);

builder.addScalarType(
  'NewPassword',
  scalar<string>(
    'NewPassword',
    {
      expectation: `a string of ${passwordMin} to ${passwordMax} characters`,
      description:
        'A password as it was typed, spaces at its ends included. A password that is easy to guess is rejected with the reason PASSWORD_EASY_TO_GUESS.',
      jsonSchema: {
        type: 'string',
        format: 'password',
        minLength: passwordMin,
        maxLength: passwordMax,
      },
    },
    parseNewPassword,
  ),
);

mutation('completeSetup', {
  description:
    'Creates the first organization and its administrator. The token is in the link that the first start printed; it works once.',
  // This field needs no scope: the token is the credential.
  authScopes: {},
  input: (t) => ({
    token: t.string({ description: 'The token in the link that the first start printed.' }),
    organizationName: t.field({
      type: 'OrganizationName',
      description: 'The name of the first organization.',
    }),
    firstName: t.field({ type: 'PersonName', description: 'The first name of the administrator.' }),
    lastName: t.field({ type: 'PersonName', description: 'The last name of the administrator.' }),
    email: t.field({
      type: 'EmailAddress',
      description: 'The e-mail address of the administrator.',
    }),
    password: t.field({ type: 'NewPassword', description: 'The password of the administrator.' }),
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
