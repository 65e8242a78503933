import { accountOf } from '../../../access/scopes.ts';
import { secretRule } from '../../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../../graph/schema/mutation.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';

mutation('exportAccount', {
  description:
    'All stored data of the viewer, without secrets, with their newest conversations, the newest 10,000 of their changes, and the invitations of partners to their confirmed address. Needs a recent sign-in.',
  authScopes: { account: true },
  resolve: async (_, context) => ({
    data: await exportAccount(accountOf(context.viewer), context),
  }),
  payload: (t) => ({
    data: t.expose('data', {
      type: 'JSON',
      description: 'Lists and objects by kind, for a file. New versions add kinds of data.',
    }),
  }),
});

mutation('deleteAccount', {
  description:
    'Deletes the account of the viewer, and the invitations of partners to their confirmed address. Sessions and keys end at once. The last administrator of an organization is rejected. Needs a recent sign-in.',
  authScopes: { account: true },
  input: (t) => ({
    email: t.string({
      rule: secretRule,
      description: 'The address of the account, typed to confirm.',
    }),
  }),
  resolve: async ({ email }, context) => {
    await deleteAccount({ ...accountOf(context.viewer), email }, context);
    return {};
  },
  payload: (t) => ({ success: t.boolean(alwaysTrue) }),
});
