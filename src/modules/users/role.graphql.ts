import { builder } from '../../graph/schema/builder.ts';
import { Role as RoleValues } from '../../platform/database/generated/client.ts';

export const Role = builder.enumType(RoleValues, {
  name: 'Role',
  description: 'The role of a person in an organization.',
});
