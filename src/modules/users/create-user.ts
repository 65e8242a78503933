import type { Writer } from '../audit/record-change.ts';
import { createUsers, type NewUser } from './create-users.ts';
import type { Member } from './member.ts';

/** Adds a person to the organization and creates an account if there is none. */
export async function createUser(
  user: NewUser,
  writer: Writer,
): Promise<{ user: Member; isNewUser: boolean }> {
  const [created] = await createUsers({ users: [user], isAtomic: false }, writer);
  if (!created) throw new Error('the user has no outcome');
  if (created.refusal) throw created.refusal;
  return created;
}
