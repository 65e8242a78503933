import { builder } from './graph/builder.ts';
import { unwrapExposedFields } from './graph/compile.ts';
import './modules/teams/team.graphql.ts';
import './modules/users/user.graphql.ts';

export const schema = unwrapExposedFields(builder.toSchema());
