import { builder } from '../../graph/builder.ts';
import { Role as RoleValues } from '../../platform/database/generated/client.ts';

export const Role = builder.enumType(RoleValues, {
  name: 'Role',
  description: 'What somebody is in an organization.',
});
