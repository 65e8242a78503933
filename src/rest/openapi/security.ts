import type { ApiArea } from '../route-definition.ts';
import type { SecurityScheme } from './document.ts';

const keyForm = (prefix: string) => `${prefix} + 38 letters and digits`;

const schemes: Record<ApiArea['key'], { name: string; scheme: SecurityScheme }> = {
  ORGANIZATION_KEY: {
    name: 'organizationKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: keyForm('sk_svc_um_'),
      description:
        'An organization API key: it acts as the organization. Administrators create it in the settings, where it is shown once. These calls do not accept user keys.',
    },
  },
  USER_KEY: {
    name: 'userKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: keyForm('sk_svc_'),
      description:
        'A user API key: it acts as one person in one organization. The person creates it in the settings. These calls do not accept organization keys.',
    },
  },
};

export const securityOf = ({ key }: Pick<ApiArea, 'key'>): Record<string, string[]>[] => [
  { [schemes[key].name]: [] },
];

export const securitySchemesOf = (areas: readonly ApiArea[]): Record<string, SecurityScheme> =>
  Object.fromEntries(areas.map(({ key }) => [schemes[key].name, schemes[key].scheme]));
