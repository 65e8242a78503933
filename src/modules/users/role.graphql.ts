import { builder } from '../../graph/schema/builder.ts';
import { Role as RoleValues } from '../../platform/database/generated/client.ts';

export const Role = builder.enumType(RoleValues, {
  name: 'Role',
  description: 'The role of a person in an organization.',
  values: {
    ADMIN: {
      description: 'An administrator: manages members, keys and the settings of the organization.',
    },
    MEMBER: { description: 'A member: uses assistants and has keys of their own.' },
  },
});
