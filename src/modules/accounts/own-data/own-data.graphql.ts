import { builder } from '../../../graph/builder.ts';
import { accountOf } from '../../../graph/scopes.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';

builder.mutationField('exportAccount', (t) =>
  t.field({
    type: 'JSON',
    description:
      'Everything that is stored about the person who asks, without a secret; of their changes the newest 10,000. Needs a recent sign-in.',
    authScopes: { account: true },
    resolve: (_, __, context) => exportAccount(accountOf(context.viewer), context),
  }),
);

builder.mutationField('deleteAccount', (t) =>
  t.boolean({
    description:
      'Deletes the account of the person who asks. Sessions and keys end at once. Refused to the last administrator of an organization. Needs a recent sign-in.',
    args: { email: t.arg.string({ description: 'The address of the account, typed to confirm.' }) },
    authScopes: { account: true },
    resolve: async (_, { email }, context) => {
      await deleteAccount({ ...accountOf(context.viewer), email }, context);
      return true;
    },
  }),
);
