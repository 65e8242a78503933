import { builder } from '../../graph/schema/builder.ts';
import {
  atomicOption,
  bulkItemsMax,
  bulkList,
  bulkPayload,
  itemFields,
} from '../../graph/schema/bulk.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { requireItems } from '../../platform/bulk.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { type BulkCreatedUser, bulkCreateUsers } from './bulk-create-users.ts';
import { notifyInBackground, personNameRule, User } from './user.graphql.ts';

const NewUserInput = builder.inputType('NewUserInput', {
  description: 'A user to create.',
  fields: (t) => ({
    email: t.field({ type: 'EmailAddress', description: 'The e-mail address; each one once.' }),
    firstName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The first name that the organization gives the user.',
    }),
    lastName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The last name that the organization gives the user.',
    }),
  }),
});

const BulkUserResult = builder.objectRef<BulkCreatedUser>('BulkUserResult').implement({
  description: 'What happened to one user of a bulk call.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address of the request.' }),
    user: t.expose('user', {
      type: User,
      nullable: true,
      description: 'The user; null if the item was refused.',
    }),
    isNewUser: t.exposeBoolean('isNewUser', {
      nullable: true,
      description: 'False if the person already had an account; null if the item was refused.',
    }),
    ...itemFields(t),
  }),
});

mutation('bulkCreateUsers', {
  description: `Creates up to ${bulkItemsMax} users as createUser does for one.`,
  authScopes: { manages: userManagement },
  input: (t) => ({
    users: t.field({
      type: [NewUserInput],
      ...bulkList,
      description: 'The users to create, each address once.',
    }),
    atomic: t.field(atomicOption),
  }),
  resultSize: { argument: 'users', fields: ['results'] },
  resolve: async ({ users, atomic }, context) => {
    requireItems(users, {
      ...{ list: 'users', itemsMax: bulkItemsMax, idField: 'email' },
      neverNull: ['firstName', 'lastName'],
    });
    const items = await bulkCreateUsers({ users, isAtomic: atomic }, writerOf(context), context);
    for (const { user, isNewUser } of items)
      if (user && !isNewUser) notifyInBackground(user, context);
    return { items };
  },
  payload: bulkPayload(BulkUserResult),
});
