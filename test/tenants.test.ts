import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphFault, type TestApp, type TestOrganization, testApp } from './support/app.ts';
import { everyCall } from './support/calls.ts';
import { fileIdIn, filesOf } from './support/files.ts';
import { invite } from './support/invitations.ts';
import { partnerIn, type TestPartner } from './support/partner.ts';
import { signIn } from './support/sign-in.ts';
import { operationFor, rootFields, sampleOf } from './support/whole-schema.ts';

const canary = 'canary';
type Ask = (
  query: string,
  variables: Record<string, unknown>,
) => Promise<{ text: string; errors: GraphFault[] }>;

let app: TestApp;
let us: TestOrganization;
let them: TestPartner;
let ourCallers: Ask[];
let foreignIds: string[];

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '1000000', USER_KEY_LIMIT: '1000000' });
  us = await app.organization();
  them = await partnerIn(app);
  const ourUser = await us.member('us@us.example');
  const sessions = await Promise.all([us.administratorId, ourUser.id].map((id) => signIn(app, id)));
  ourCallers = [
    ...[us.key, (await us.userKey(ourUser.id)).key].map(
      (key): Ask =>
        async (query, variables) => {
          const { answer, errors } = await app.graph(key, query, variables);
          return { text: answer.text, errors };
        },
    ),
    ...sessions.map(
      (session): Ask =>
        async (query, variables) => {
          const { data, errors } = await session.graph(query, variables);
          return { text: JSON.stringify({ data, errors }), errors };
        },
    ),
  ];

  // Everything of theirs carries the canary.
  const { id: theirUserId } = await them.member(`${canary}@${canary}.example`, {
    firstName: canary,
    lastName: canary,
  });
  const team = await them.manage('POST', '/teams', { name: `${canary} team` });
  const { id: teamId } = team.body['team'] as { id: string };
  await them.manage('POST', `/teams/${teamId}/users`, { userId: theirUserId });
  const userKey = await them.userKey(theirUserId);
  const organizationKey = await them.organizationKey();
  await app.database.prisma.apiKey.updateMany({
    where: { organizationId: them.id },
    data: { name: canary },
  });
  await app.database.prisma.organization.update({ where: { id: them.id }, data: { name: canary } });
  const campaign = await them.campaign({
    name: canary,
    allowedEmails: [`${canary}@${canary}.example`],
    allowedEmailDomains: ['redeem.example'],
  });
  const link = await them.link(campaign.id, { name: canary });
  const redemption = await them.redeem(link, { organizationName: canary });
  await them.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, {
    billingStatus: 'BILLED',
    billingBatchId: canary,
  });
  await them.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, {
    newSponsoredUntil: '2040-01-01T00:00:00.000Z',
    reason: canary,
  });
  const asThem = app.callerWith(userKey.key);
  const mine =
    'mutation ($name: AssistantName!, $told: Instructions) { createAssistant(name: $name, instructions: $told) { id } }';
  const made = await asThem('POST', '/graphql', {
    query: mine,
    variables: { name: canary, told: canary },
  });
  const { id: assistantId } = (made.body as { data: { createAssistant: { id: string } } }).data
    .createAssistant;
  const fileId = fileIdIn(
    await filesOf(app, { key: userKey.key, call: asThem }, assistantId).upload(canary, {
      name: `${canary}.txt`,
    }),
  );
  const { invitation } = await invite(
    await signIn(app, them.administratorId),
    `invited@${canary}.example`,
  );
  const shares = await app.database.prisma.assistantShare.findMany({
    where: { organizationId: them.id },
  });
  const audit = await app.database.prisma.auditEntry.findMany({
    where: { organizationId: them.id },
  });
  foreignIds = [
    them.id,
    them.slug,
    them.administratorId,
    them.defaultTeamId,
    them.keyId,
    theirUserId,
    teamId,
    userKey.id,
    organizationKey.id,
    campaign.id,
    link.id,
    String(link['token']),
    redemption.id,
    redemption.organizationId,
    assistantId,
    fileId,
    invitation.id,
    ...shares.map(({ id }) => id),
    ...audit.map(({ id }) => id),
  ];
});
afterAll(() => app.close());

/** What bodies must have so that the ids are what is looked at. */
const sampleBody = {
  email: 'sample@us.example',
  durationMonths: 1,
  password: null,
  billingStatus: 'WAIVED',
  newSponsoredUntil: '2050-01-01T00:00:00.000Z',
};

/**
 * A fingerprint of every row that belongs to the other organization, in whatever table it stands.
 */
async function theirRows(): Promise<string> {
  const tables = await app.database.prisma.$queryRaw<{ name: string }[]>`
    select table_name::text as name from information_schema.columns
    where column_name = 'organization_id' and table_schema = 'public'
      and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`;
  expect(tables.length).toBeGreaterThanOrEqual(5);
  const prints: string[] = [];
  for (const { name } of [...tables.toSorted((a, b) => a.name.localeCompare(b.name))]) {
    const [row] = await app.database.prisma.$queryRawUnsafe<{ print: string | null }[]>(
      `select md5(string_agg(t::text, '|' order by t::text)) as print from "${name}" t where organization_id = $1`,
      them.id,
    );
    prints.push(`${name}:${row?.print}`);
  }
  const [people] = await app.database.prisma.$queryRaw<{ print: string }[]>`
    select md5(string_agg(u::text, '|' order by u.id)) as print from users u join memberships m on m.user_id = u.id where m.organization_id = ${them.id}`;
  return [...prints, people?.print].join('\n');
}

/**
 * No byte of theirs in what we get. What we sent ourselves may come back, so the ids we send are
 * not looked for in it.
 */
function expectNothingForeign(text: string, sent: string): void {
  const found = [canary, ...foreignIds.filter((id) => !sent.includes(id))].filter((theirs) =>
    text.includes(theirs),
  );
  expect(found).toEqual([]);
}

/** Each question once: where nothing in it takes an id, it is the same whichever is tried. */
const unlike = <Question>(questions: readonly Question[]): Question[] => [
  ...new Map(questions.map((question) => [JSON.stringify(question), question])).values(),
];

describe('REST', () => {
  it.each(everyCall)(
    '$title shows and changes nothing of another organization',
    async ({ method, template, takesBody, key }) => {
      const before = await theirRows();
      const questions = foreignIds.map((id) => ({
        path: template.replaceAll(/:\w+/g, encodeURIComponent(id)),
        body: takesBody
          ? { ...sampleBody, userId: id, teamId: id, name: 'ours', organizationId: them.id }
          : undefined,
      }));
      for (const { path, body } of unlike(questions)) {
        const answer = await us.callWith(key, method, `${path}?organizationId=${them.id}`, body);
        // Whoever may not run an assistant does not learn whether there is one (D3).
        if (template.includes(':'))
          expect(answer.status).toBe(template.endsWith('/run') ? 403 : 404);
        expectNothingForeign(answer.text, path + JSON.stringify(body));
      }
      expect(await theirRows()).toBe(before);
    },
  );

  it('our own ids do not open what is nested under theirs', async () => {
    const before = await theirRows();
    for (const [method, path, body] of [
      ['POST', `/teams/${them.defaultTeamId}/users`, { userId: us.administratorId }],
      ['POST', `/teams/${us.defaultTeamId}/users`, { userId: them.administratorId }],
      ['DELETE', `/teams/${us.defaultTeamId}/users/${them.administratorId}`, undefined],
      ['DELETE', `/teams/${them.defaultTeamId}/users/${them.administratorId}`, undefined],
    ] as const) {
      expect((await us.manage(method, path, body)).status).toBe(404);
    }
    expect(await theirRows()).toBe(before);
  });
});

const askedFields = rootFields.filter(({ kind }) => kind !== 'subscription');
const users = askedFields.filter(({ name }) => name === 'users');

describe('GraphQL', () => {
  it.each(askedFields)(
    '$kind $name shows and changes nothing of another organization',
    async (root) => {
      const before = await theirRows();
      const query = operationFor(root);
      const questions = foreignIds.map((id) =>
        Object.fromEntries(
          root.field.args.map((argument) => [argument.name, sampleOf(argument.type, id)]),
        ),
      );
      for (const ask of ourCallers) {
        for (const variables of unlike(questions)) {
          const { text, errors } = await ask(query, variables);
          expect(errors.filter(({ extensions }) => extensions?.code === 'INTERNAL')).toEqual([]);
          // A walk that the limits stop would find nothing.
          expect(
            errors.filter(({ message }) => /ask for|too (deep|many|large)/.test(message)),
          ).toEqual([]);
          // An export repeats what the person has sent before, as the audit log has it.
          expectNothingForeign(
            text,
            root.name === 'exportAccount' ? foreignIds.join() : JSON.stringify(variables),
          );
        }
      }
      expect(await theirRows()).toBe(before);
    },
  );

  it.each(users)(
    'what the other organization reads of its $name does carry the canary, so that the walk can fail',
    async (root) => {
      const { answer } = await app.graph(them.key, operationFor(root), { page: 1, pageSize: 5 });
      expect(answer.text).toContain(canary);
    },
  );
});
