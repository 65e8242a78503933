import { createServer } from 'node:http';
import { atMost } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const secret = 'the-merger-that-nobody-may-know-of';
const site = 'www.evil.example/login';
const trivial = [
  '1234567890',
  '0987654321',
  'aaaaaaaaaa',
  'password123',
  'qwertyuiop',
  'iloveyou1234',
  'abcabcabcabc',
  '1q2w3e4r5t',
];
const keysMax = 20;
const endsWithinMs = 2_500;

export const proof: Proof = {
  claim:
    'private texts, colleagues, names in mails, keys, passwords and open streams: what a member or a stranger could do too much of',
  long: true,
  async attempt({ say }) {
    const provider = await endlessProvider();
    const program = await openSponsoredSite({
      MODEL_BASE_URL: provider.url,
      MODEL_API_KEY: 'k',
      MODEL_DEFAULT: 'any',
      ANONYMOUS_LIMIT: '100000',
    });
    try {
      const [admin, member] = program.partner.users;
      if (!admin || !member) throw new Error('the demo has no people');
      const asAdmin = (
        await program.enter('sign-in', { email: admin.email, password: admin.password })
      )('198.51.100.2');
      const asMember = (
        await program.enter('sign-in', { email: member.email, password: member.password })
      )('198.51.100.3');

      const created = await asMember.graph<{ a: { id: string } }>(
        `mutation { a: createAssistant(name: "Private", instructions: "${secret}") { id } }`,
      );
      const assistantId = created.data?.a.id ?? '';
      const log = JSON.stringify(
        (await asAdmin.graph('{ auditEntries(pageSize: 100) { items { changes } } }')).data,
      );
      await asMember.graph(
        `mutation { shareAssistant(assistantId: "${assistantId}", level: VIEW, userId: "${admin.id}") { id } }`,
      );
      const seen = JSON.stringify(
        (
          await asMember.graph(
            `{ assistant(assistantId: "${assistantId}") { shares { user { id isAdmin lastLogin teams { name } } } } }`,
          )
        ).data,
      );
      const renamed = await asAdmin.graph(
        `mutation { renameOrganization(name: "Your prize: ${site}") { id } }`,
      );
      const profile = await asMember.graph(
        `mutation { updateProfile(firstName: "https://evil.example", lastName: "") { firstName } }`,
      );
      const keys = await Promise.all(
        Array.from({ length: 40 }, () =>
          asMember.graph('mutation { createUserKey(name: "one more") { key } }'),
        ),
      );
      const made = keys.filter(({ data }) => data).length;
      say(`${made} of 40 keys were created`);
      let accepted = 0;
      for (const [index, password] of trivial.entries())
        if (await isAccepted(program, `trivial${index}@mail.example`, password)) accepted += 1;
      say(`${accepted} of ${trivial.length} trivial passwords were accepted`);
      const byKey = program.browser('192.0.2.8', {
        authorization: `Bearer ${program.partner.organizationKey}`,
      });
      const { token } = await program.offer();
      const released = await program.atLink(byKey, token).release();
      const openMs = await openAfterRemoval(program, member, assistantId);
      say(`a stream of a removed member went on for ${openMs} ms`);
      return [
        none('private instructions in the audit log', log.includes(secret) ? 1 : 0),
        none('colleagues whose role a plain member sees', seen.includes('"isAdmin":true') ? 1 : 0),
        none(
          'names with the address of a site that are accepted',
          [renamed, profile].filter(({ data }) => data).length,
        ),
        atMost(keysMax, {
          figure: 'keys that one member created at once',
          value: made + 1,
          unit: '',
        }),
        none('trivial passwords that are accepted', accepted),
        none('releases that an API key may ask for', released === 'FORBIDDEN' ? 0 : 1),
        atMost(endsWithinMs, {
          figure: 'a stream after its reader was removed',
          value: openMs,
          unit: 'ms',
        }),
      ];
    } finally {
      await program.close();
      provider.close();
    }
  },
};

async function isAccepted(
  program: SponsoredSite,
  email: string,
  password: string,
): Promise<boolean> {
  return program.enter('sign-up', { email, password, firstName: 'Tess', lastName: '' }).then(
    () => true,
    () => false,
  );
}

/**
 * How long a run of this member goes on after the organization removed them; ten seconds are as
 * good as for ever.
 */
async function openAfterRemoval(
  program: SponsoredSite,
  member: { id: string; userKey: string },
  assistantId: string,
): Promise<number> {
  const reading = new AbortController();
  const answer = await fetch(`${program.server.address}/api/assistants/v1/${assistantId}/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${member.userKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Go on and on.' }] }),
    signal: reading.signal,
  });
  const reader = answer.body?.getReader();
  if (answer.status !== 200 || !reader)
    throw new Error(`the run answered ${answer.status}: ${await answer.text()}`);
  await reader.read();
  const removed = await program.request('DELETE', `/api/user-management/v1/users/${member.id}`, {
    headers: { authorization: `Bearer ${program.partner.organizationKey}` },
  });
  if (removed.status !== 200)
    throw new Error(`the removal answered ${removed.status}: ${removed.text}`);
  const removedAt = performance.now();
  const patience = setTimeout(() => reading.abort(), 10_000);
  try {
    while (!(await reader.read()).done);
  } catch {
    // Cut off: that is an end as well.
  }
  clearTimeout(patience);
  return Math.round(performance.now() - removedAt);
}

/** A model that says a word every tenth of a second and never comes to an end. */
async function endlessProvider(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const say = () => {
      const chunk = {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'any',
        choices: [{ index: 0, delta: { content: 'on and ' }, finish_reason: null }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const timer = setInterval(say, 100);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
