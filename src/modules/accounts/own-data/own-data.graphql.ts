import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';

builder.mutationField('exportAccount', (t) =>
  t.field({
    type: 'JSON',
    description:
      'All stored data of the viewer, without secrets, with the newest 10,000 of their changes. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: (_, __, context) => exportAccount(accountOf(context.viewer), context),
  }),
);

builder.mutationField('deleteAccount', (t) =>
  t.boolean({
    description:
      'Deletes the account of the viewer. Sessions and keys end at once. The last administrator of an organization is rejected. Needs a recent sign-in.',
    args: { email: t.arg.string({ description: 'The address of the account, typed to confirm.' }) },
    authScopes: { account: true },
    resolve: async (_, { email }, context) => {
      await deleteAccount({ ...accountOf(context.viewer), email }, context);
      return true;
    },
  }),
);
