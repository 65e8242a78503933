import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerOf, dataOf, type GraphFault, graphAnswerOf } from './support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from './support/app.ts';
import { everyCall } from './support/calls.ts';
import { fileIdIn, filesOf } from './support/files.ts';
import { invite } from './support/invitations.ts';
import { partnerIn, type TestPartner } from './support/partner.ts';
import { operationFor, rootFields, sampleOf, usableTogether } from './support/schema-operations.ts';
import { signIn } from './support/sign-in.ts';

const canary = 'canary';
type GraphQLCaller = (
  query: string,
  variables: Record<string, unknown>,
) => Promise<{ text: string; errors: GraphFault[] }>;

let app: TestApp;
let ours: TestOrganization;
let theirs: TestPartner;
let ourCallers: GraphQLCaller[];
/** None of these may be in a response. */
let foreignIds: string[];
/** The ids that requests name: an id of each kind, because ids of one kind are looked up alike. */
let namedIds: string[];

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '1000000', USER_KEY_LIMIT: '1000000' });
  ours = await app.organization();
  theirs = await partnerIn(app);
  const ourUser = await ours.member('us@us.example');
  const sessions = await Promise.all(
    [ours.administratorId, ourUser.id].map((id) => signIn(app, id)),
  );
  ourCallers = [
    ...[ours.key, (await ours.userKey(ourUser.id)).key].map(
      (key): GraphQLCaller =>
        async (query, variables) => {
          const { answer, errors } = await app.graph(key, query, variables);
          return { text: answer.text, errors };
        },
    ),
    ...sessions.map(
      (session): GraphQLCaller =>
        async (query, variables) => {
          const { data, errors } = await session.graph(query, variables);
          return { text: JSON.stringify({ data, errors }), errors };
        },
    ),
  ];

  // Every text of the other organization contains the canary.
  const { id: theirUserId } = await theirs.member(`${canary}@${canary}.example`, {
    firstName: canary,
    lastName: canary,
  });
  const team = await theirs.manage('POST', '/teams', { name: `${canary} team` });
  const { id: teamId } = answerOf('createTeam', team).team;
  await theirs.manage('POST', `/teams/${teamId}/users`, { userId: theirUserId });
  const userKey = await theirs.userKey(theirUserId);
  const organizationKey = await theirs.organizationKey();
  await app.database.prisma.apiKey.updateMany({
    where: { organizationId: theirs.id },
    data: { name: canary },
  });
  await app.database.prisma.organization.update({
    where: { id: theirs.id },
    data: { name: canary },
  });
  const campaign = await theirs.campaign({
    name: canary,
    allowedEmails: [`${canary}@${canary}.example`],
    allowedEmailDomains: ['redeem.example'],
  });
  const link = await theirs.link(campaign.id, { name: canary });
  const redemption = await theirs.redeem(link, { organizationName: canary });
  await theirs.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, {
    billingStatus: 'BILLED',
    billingBatchId: canary,
  });
  await theirs.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, {
    newSponsoredUntil: '2040-01-01T00:00:00.000Z',
    reason: canary,
  });
  const callAsTheirUser = app.callerWith(userKey.key);
  const createdAssistant = z.object({
    createAssistant: z.object({ assistant: z.object({ id: z.string() }) }),
  });
  const createAssistant =
    'mutation ($name: String!, $instructions: String) { createAssistant(input: { name: $name, instructions: $instructions }) { assistant { id } } }';
  const created = await callAsTheirUser('POST', '/graphql', {
    query: createAssistant,
    variables: { name: canary, instructions: canary },
  });
  const { assistant } = dataOf(createdAssistant, graphAnswerOf(created)).createAssistant;
  const { id: assistantId } = assistant;
  const fileId = fileIdIn(
    await filesOf(app, { key: userKey.key, call: callAsTheirUser }, assistantId).upload(canary, {
      name: `${canary}.txt`,
    }),
  );
  const { invitation } = await invite(
    await signIn(app, theirs.administratorId),
    `invited@${canary}.example`,
  );
  const shares = await app.database.prisma.assistantShare.findMany({
    where: { organizationId: theirs.id },
  });
  const audit = await app.database.prisma.auditEntry.findMany({
    where: { organizationId: theirs.id },
  });
  const otherIds = [
    theirs.id,
    theirs.slug,
    theirs.administratorId,
    theirs.defaultTeamId,
    theirs.keyId,
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
  ];
  const shareIds = shares.map(({ id }) => id);
  const auditIds = audit.map(({ id }) => id);
  foreignIds = [...otherIds, ...shareIds, ...auditIds];
  namedIds = [...otherIds, ...shareIds.slice(0, 1), ...auditIds.slice(0, 1)];
});
afterAll(() => app.close());

/** Required fields of bodies, so that the ids are what is tested. */
const sampleBody = {
  email: 'sample@us.example',
  durationMonths: 1,
  password: null,
  billingStatus: 'WAIVED',
  newSponsoredUntil: '2050-01-01T00:00:00.000Z',
  from: '2020-01-01T00:00:00.000Z',
};

let latestFingerprint: string | undefined;
/** What the previous test found at its end: nobody writes between two tests. */
const fingerprintBefore = async () => latestFingerprint ?? (await fingerprintOfTheirRows());

/** A fingerprint of all rows of the other organization in all tables. */
async function fingerprintOfTheirRows(): Promise<string> {
  const [row] = await app.database.prisma.$queryRawUnsafe<{ fingerprints: string }[]>(
    await fingerprintStatement(),
    theirs.id,
  );
  latestFingerprint = row?.fingerprints ?? '';
  return latestFingerprint;
}

let statement: Promise<string> | undefined;
/** One statement for all tables, because it is executed hundreds of times. */
function fingerprintStatement(): Promise<string> {
  statement ??= (async () => {
    const tables = await app.database.prisma.$queryRaw<{ name: string }[]>`
      select table_name::text as name from information_schema.columns
      where column_name = 'organization_id' and table_schema = 'public'
        and table_name <> 'link_days' -- whoever opens a link is counted
        and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`;
    expect(tables.length).toBeGreaterThanOrEqual(5);
    const ofTables = tables.map(
      ({ name }) =>
        `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as rows from "${name}" t where organization_id = $1`,
    );
    const ofPeople = `select 'people', md5(string_agg(u::text, '|' order by u.id)) from users u join memberships m on m.user_id = u.id where m.organization_id = $1`;
    return `select string_agg(concat(name, ':', rows), E'\\n' order by name) as fingerprints from (${[...ofTables, ofPeople].join(' union all ')}) all_rows`;
  })();
  return statement;
}

/**
 * Expects no data of the other organization in a response. Ids that the request contained are
 * excluded.
 */
function expectNothingForeign(text: string, sent: string): void {
  const leaks = [canary, ...foreignIds.filter((id) => !sent.includes(id))].filter((value) =>
    text.includes(value),
  );
  expect(leaks).toEqual([]);
}

/** Removes duplicate requests, which differ only if they contain an id. */
const distinct = <Request>(requests: readonly Request[]): Request[] => [
  ...new Map(requests.map((request) => [JSON.stringify(request), request])).values(),
];

describe('REST', () => {
  it.each(everyCall)(
    '$title shows and changes nothing of another organization',
    async ({ method, template, takesBody, key }) => {
      const before = await fingerprintBefore();
      const requests = namedIds.map((id) => ({
        // A month is no id: it has a form, and the same text for every organization.
        path: template.replace(':month', '2001-01').replaceAll(/:\w+/g, encodeURIComponent(id)),
        body: takesBody
          ? { ...sampleBody, userId: id, teamId: id, name: 'ours', organizationId: theirs.id }
          : undefined,
      }));
      for (const { path, body } of distinct(requests)) {
        const answer = await ours.callWith(
          key,
          method,
          `${path}?organizationId=${theirs.id}`,
          body,
        );
        // The response to a run does not reveal whether an assistant exists (decision D3).
        if (template.includes(':'))
          expect(answer.status).toBe(template.endsWith('/run') ? 403 : 404);
        expectNothingForeign(answer.text, path + JSON.stringify(body));
      }
      expect(await fingerprintOfTheirRows()).toBe(before);
    },
  );

  it('our own ids give no access to resources of the other organization', async () => {
    const before = await fingerprintBefore();
    for (const [method, path, body] of [
      ['POST', `/teams/${theirs.defaultTeamId}/users`, { userId: ours.administratorId }],
      ['POST', `/teams/${ours.defaultTeamId}/users`, { userId: theirs.administratorId }],
      ['DELETE', `/teams/${ours.defaultTeamId}/users/${theirs.administratorId}`, undefined],
      ['DELETE', `/teams/${theirs.defaultTeamId}/users/${theirs.administratorId}`, undefined],
    ] as const) {
      expect((await ours.manage(method, path, body)).status).toBe(404);
    }
    expect(await fingerprintOfTheirRows()).toBe(before);
  });
});

const testedFields = rootFields.filter(({ kind }) => kind !== 'subscription');
const usersField = testedFields.filter(({ name }) => name === 'users');

describe('GraphQL', () => {
  it.each(testedFields)(
    '$kind $name shows and changes nothing of another organization',
    async (root) => {
      const before = await fingerprintBefore();
      const query = operationFor(root);
      const { byPage, byCursor } = usableTogether(root.inputs);
      const requests = namedIds.flatMap((id) =>
        [byPage, byCursor].map((args) =>
          Object.fromEntries(args.map((argument) => [argument.name, sampleOf(argument, id)])),
        ),
      );
      for (const call of ourCallers) {
        for (const variables of distinct(requests)) {
          const { text, errors } = await call(query, variables);
          expect(errors.filter(({ extensions }) => extensions?.code === 'INTERNAL')).toEqual([]);
          // A request that exceeds a limit would prove nothing.
          expect(
            errors.filter(({ message }) => /ask for|too (deep|many|large)/.test(message)),
          ).toEqual([]);
          // An account export contains what the person has sent before, as in the audit log.
          expectNothingForeign(
            text,
            root.name === 'exportAccount' ? foreignIds.join() : JSON.stringify(variables),
          );
        }
      }
      expect(await fingerprintOfTheirRows()).toBe(before);
    },
  );

  it.each(usersField)(
    "the other organization's own request for $name contains the canary, so this test can fail",
    async (root) => {
      const { answer } = await app.graph(theirs.key, operationFor(root), { page: 1, pageSize: 5 });
      expect(answer.text).toContain(canary);
    },
  );
});
