import { createServer } from 'node:http';
import { atMost } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSponsoredSite, type SponsoredSite } from './sponsored-site.ts';

const secret = 'the-merger-that-nobody-may-know-of';
const siteAddress = 'www.evil.example/login';
const trivialPasswords = [
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
    'Members and strangers cannot read private texts, see roles of colleagues, put site addresses into mails, create unlimited keys, use trivial passwords or keep streams open after their removal',
  long: true,
  async measure({ log }) {
    const provider = await endlessProvider();
    const site = await openSponsoredSite({
      MODEL_BASE_URL: provider.url,
      MODEL_API_KEY: 'k',
      MODEL_DEFAULT: 'any',
      ANONYMOUS_LIMIT: '100000',
    });
    try {
      const [admin, member] = site.partner.users;
      if (!admin || !member) throw new Error('the demo has no people');
      const asAdmin = (
        await site.signUpOrIn('sign-in', { email: admin.email, password: admin.password })
      )('198.51.100.2');
      const asMember = (
        await site.signUpOrIn('sign-in', { email: member.email, password: member.password })
      )('198.51.100.3');

      const created = await asMember.graph<{ a: { assistant: { id: string } } }>(
        `mutation { a: createAssistant(input: { name: "Private", instructions: "${secret}" }) { assistant { id } } }`,
      );
      const assistantId = created.data?.a.assistant.id ?? '';
      const auditLog = JSON.stringify(
        (
          await asAdmin.graph(
            '{ auditEntries(pageSize: 100) { nodes { changes { field value before } } } }',
          )
        ).data,
      );
      await asMember.graph(
        `mutation { shareAssistant(input: { assistantId: "${assistantId}", level: VIEW, userId: "${admin.id}" }) { assistant { id } } }`,
      );
      const shares = JSON.stringify(
        (
          await asMember.graph(
            `{ assistant(assistantId: "${assistantId}") { shares { user { id isAdmin lastLogin teams { name } } } } }`,
          )
        ).data,
      );
      const renamed = await asAdmin.graph(
        `mutation { renameOrganization(input: { name: "Your prize: ${siteAddress}" }) { organization { id } } }`,
      );
      const profile = await asMember.graph(
        `mutation { updateProfile(input: { firstName: "https://evil.example", lastName: "" }) { person { firstName } } }`,
      );
      const keys = await Promise.all(
        Array.from({ length: 40 }, () =>
          asMember.graph('mutation { createUserKey(input: { name: "one more" }) { key } }'),
        ),
      );
      const createdCount = keys.filter(({ data }) => data).length;
      log(`${createdCount} of 40 keys were created`);
      let acceptedCount = 0;
      for (const [index, password] of trivialPasswords.entries())
        if (await isAccepted(site, `trivial${index}@mail.example`, password)) acceptedCount += 1;
      log(`${acceptedCount} of ${trivialPasswords.length} trivial passwords were accepted`);
      const browserWithKey = site.browser('192.0.2.8', {
        authorization: `Bearer ${site.partner.organizationKey}`,
      });
      const { token } = await site.offer();
      const released = await site.atLink(browserWithKey, token).release();
      const openMs = await streamMsAfterRemoval(site, member, assistantId);
      log(`the stream of a removed member continued for ${openMs} ms`);
      return [
        exactlyZero('private instructions in the audit log', auditLog.includes(secret) ? 1 : 0),
        exactlyZero(
          'colleagues whose role is visible to a plain member',
          shares.includes('"isAdmin":true') ? 1 : 0,
        ),
        exactlyZero(
          'accepted names that contain the address of a site',
          [renamed, profile].filter(({ data }) => data).length,
        ),
        atMost(keysMax, {
          figure: 'keys that one member created at once',
          value: createdCount + 1,
          unit: '',
        }),
        exactlyZero('accepted trivial passwords', acceptedCount),
        exactlyZero('releases that an API key may ask for', released === 'PEOPLE_ONLY' ? 0 : 1),
        atMost(endsWithinMs, {
          figure: 'until a stream ends after its reader was removed',
          value: openMs,
          unit: 'ms',
        }),
      ];
    } finally {
      await site.close();
      provider.close();
    }
  },
};

async function isAccepted(site: SponsoredSite, email: string, password: string): Promise<boolean> {
  return site.signUpOrIn('sign-up', { email, password, firstName: 'Tess', lastName: '' }).then(
    () => true,
    () => false,
  );
}

/**
 * The milliseconds until a member's stream ends after their removal, measured up to ten seconds.
 */
async function streamMsAfterRemoval(
  site: SponsoredSite,
  member: { id: string; userKey: string },
  assistantId: string,
): Promise<number> {
  const abortController = new AbortController();
  const answer = await fetch(`${site.server.address}/api/assistants/v1/${assistantId}/run`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${member.userKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Go on and on.' }] }),
    signal: abortController.signal,
  });
  const reader = answer.body?.getReader();
  if (answer.status !== 200 || !reader)
    throw new Error(`the run answered ${answer.status}: ${await answer.text()}`);
  await reader.read();
  const removed = await site.request('DELETE', `/api/user-management/v1/users/${member.id}`, {
    headers: { authorization: `Bearer ${site.partner.organizationKey}` },
  });
  if (removed.status !== 200)
    throw new Error(`the removal answered ${removed.status}: ${removed.text}`);
  const removedAt = performance.now();
  const timeout = setTimeout(() => abortController.abort(), 10_000);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The server closed the connection, which ends the stream too.
  }
  clearTimeout(timeout);
  return Math.round(performance.now() - removedAt);
}

/** A model that sends a word every 100 ms and never ends. */
async function endlessProvider(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const sendWord = () => {
      const chunk = {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'any',
        choices: [{ index: 0, delta: { content: 'on and ' }, finish_reason: null }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const timer = setInterval(sendWord, 100);
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
