import type { Context } from '../../access/context.ts';
import { signedInMember } from '../../access/scopes.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation, type PayloadBuilder } from '../../graph/schema/mutation.ts';
import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { keyCreatedNotice, notifyOwner } from '../accounts/emails/notify-owner.ts';
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts';
import { writerOf } from '../audit/record-change.ts';
import { keyField } from './api-key.graphql.ts';
import { issueKey } from './issue-key.ts';

const keyNameRule = text({ min: 1, max: 200 });

async function issueKeyFor(
  kind: ApiKeyKind,
  { name, expiresAt = null }: { name: string; expiresAt?: Date | null | undefined },
  context: Context,
) {
  const { userId, sessionId } = signedInMember(context.viewer);
  await requireRecentSignIn(sessionId, context);
  const created = await issueKey({ kind, userId, name, expiresAt }, writerOf(context));
  notifyOwner({ userId, notice: keyCreatedNotice(created.key) }, context);
  return created;
}

const newKey = (t: InputBuilder) => ({
  name: t.field({
    type: 'String',
    rule: keyNameRule,
    description: 'The display name of the key.',
  }),
  expiresAt: t.field({
    type: 'DateTime',
    required: false,
    description: 'When the key expires; null or absent: never.',
  }),
});

const createdKey = (t: PayloadBuilder<{ id: string; key: string }>) => ({
  key: t.exposeString('key', { description: 'The key. It cannot be shown again.' }),
  apiKey: keyField(t, 'What can be read of the key later.'),
});

mutation('createUserKey', {
  description: 'Creates a key that acts as the viewer in this organization.',
  authScopes: { signedIn: true },
  input: newKey,
  resolve: (input, context) => issueKeyFor('USER', input, context),
  payload: (t) => ({ ...createdKey(t) }),
});

mutation('createOrganizationKey', {
  description: 'Creates a key that acts as the organization.',
  authScopes: { administrator: true },
  input: newKey,
  resolve: (input, context) => issueKeyFor('ORGANIZATION', input, context),
  payload: (t) => ({ ...createdKey(t) }),
});
