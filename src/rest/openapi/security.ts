import type { Area } from '../routes.ts';
import type { SecurityScheme } from './document.ts';

const keyForm = (prefix: string) => `${prefix} + 38 letters and digits`;

const schemes: Record<Area['key'], { name: string; scheme: SecurityScheme }> = {
  ORGANIZATION_KEY: {
    name: 'organizationKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: keyForm('sk_svc_um_'),
      description:
        'An organization API key: it stands for the organization itself. Administrators create it in the settings, where it is shown once. No user key opens these calls.',
    },
  },
  USER_KEY: {
    name: 'userKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: keyForm('sk_svc_'),
      description:
        'A user API key: it stands for one person in one organization, who creates it in the settings. No organization key opens these calls.',
    },
  },
};

export const securityOf = ({ key }: Area): Record<string, string[]>[] => [
  { [schemes[key].name]: [] },
];

export const securitySchemesOf = (areas: readonly Area[]): Record<string, SecurityScheme> =>
  Object.fromEntries(areas.map(({ key }) => [schemes[key].name, schemes[key].scheme]));
