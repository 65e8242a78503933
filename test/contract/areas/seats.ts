import { idOf } from '../check-list.ts';
import { matching } from '../matchers.ts';
import type { Suite } from '../suite.ts';

/** An organization at its seat cap: decisions D32, D40. */
export async function checkSeats(suite: Suite): Promise<void> {
  const { check, prefix } = suite;
  const api = suite.api('full-org-key', 'the seat cap')?.under('/api/user-management/v1');
  if (!api) return;
  const before = await api.get('/users?pageSize=100');
  const email = `${prefix}-seat@contract.example`;
  const refused = await api.post('/users', { email });
  if (refused.status === 200) await api.delete(`/users/${refused.at('user.id')}`);
  check('D32 POST /users at the seat cap is 403', refused, refused.status, 403);
  check(
    'D32 POST /users at the seat cap: the message gives the reason',
    refused,
    refused.at('message'),
    matching(/seat/i),
  );
  const member = Object(before.listAt('users')[0]).email;
  const conflict = await api.post('/users', { email: member });
  check('D40 POST /users at the seat cap: a member is 409', conflict, conflict.status, 409);
  const added = await api.post('/users/add', { email: member });
  check('D40 POST /users/add at the seat cap: a member is 409', added, added.status, 409);
  const unknownAccount = await api.post('/users/add', { email: `nobody-${email}` });
  check(
    'D2 POST /users/add at the seat cap: no such account is still 404 or 403',
    unknownAccount,
    unknownAccount.status === 404 || unknownAccount.status === 403,
    true,
  );
  const faulty = await api.post('/users', { email: 'x' });
  check('D2 POST /users at the seat cap: invalid input is 400', faulty, faulty.status, 400);
  const after = await api.get('/users?pageSize=100');
  check(
    'D32 refused users are not added',
    after,
    after.listAt('users').map(idOf),
    before.listAt('users').map(idOf),
  );
}
