import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../src/modules/demo/seed.ts';
import { samples } from '../support/parity/all-samples.ts';
import { calls } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { executePlainly, type SampleRequest, sendCall } from '../support/parity/send.ts';
import { watchStatements } from '../support/statements.ts';

let app: ParityApp;
let keys: Record<'organization' | 'user', string>;
const watch = watchStatements();
beforeAll(async () => {
  app = await parityApp();
  const { organizations } = await seed(app.contextParts);
  const partner = organizations.find(({ slug }) => slug === 'partner');
  keys = {
    organization: partner?.organizationKey ?? '',
    user: partner?.users[0]?.userKey ?? '',
  };
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

const count = async (work: () => Promise<unknown>) => {
  // Budgets are looked at two seconds after the last run, which may be in the midst of this work.
  await app.contextParts.budgets.notify();
  const { statements } = await watch.during(work);
  return statements.length;
};

/** A search counts how common its text is, except under row-level security. */
const countOf = (title: string, statements: number) => {
  const { rlsActive } = app.database.within({ organizationId: 'any', personId: '' });
  return rlsActive && title.endsWith('with a search') ? statements - 1 : statements;
};

const users = '/api/user-management/v1/users';
const teams = '/api/user-management/v1/teams';
const campaigns = '/api/sponsorship/v1/campaigns';
const links = '/api/sponsorship/v1/links';
const redemptions = '/api/sponsorship/v1/redemptions';
const statements = '/api/sponsorship/v1/statements';
const run = '/api/assistants/v1/:assistantId/run';
const runs = '/api/assistants/v1/runs';
const endpoints = '/api/events/v1/endpoints';
const conversations = '/api/conversations/v1/conversations';
const files = '/api/assistant-files/v1/assistants/:assistantId/files';

/**
 * The statements of each call; `withKey` with an Idempotency-Key, and `operation` of its operation
 * alone. Not counted: the lookup of the API key, and the scope of row-level security.
 */
const counts: Record<string, { call: number; withKey?: number; operation?: number }> = {
  [`GET ${users}`]: { call: 1 },
  [`GET ${users} with a search`]: { call: 2 },
  [`GET ${users}/:userId`]: { call: 1 },
  // One counts how often the organization has looked for addresses.
  [`POST ${users}`]: { call: 3, withKey: 8 },
  [`POST ${users}/bulk`]: { call: 3, withKey: 8 },
  // BEGIN and COMMIT are statements of their own, so that it can be rolled back.
  [`POST ${users}/bulk all or none`]: { call: 5, withKey: 8 },
  // Two more: the account of an unverified address is reset, and its person is informed by mail.
  [`POST ${users}/add`]: { call: 8, withKey: 11 },
  [`PATCH ${users}/:userId`]: { call: 6, withKey: 9 },
  // One more reads the name of the organization for the mail to the person.
  [`PATCH ${users}/:userId with a role`]: { call: 7, withKey: 10 },
  [`PATCH ${users}/:userId without a change`]: { call: 1, withKey: 3 },
  [`DELETE ${users}/:userId`]: { call: 1 },
  [`GET ${teams}`]: { call: 1 },
  [`POST ${teams}`]: { call: 1, withKey: 6 },
  [`GET ${teams}/:teamId`]: { call: 1 },
  [`PATCH ${teams}/:teamId`]: { call: 6, withKey: 9 },
  [`PATCH ${teams}/:teamId without a change`]: { call: 1, withKey: 3 },
  [`GET ${teams}/:teamId/users`]: { call: 1 },
  [`GET ${teams}/:teamId/users by a text`]: { call: 1 },
  [`DELETE ${teams}/:teamId`]: { call: 6 },
  [`POST ${teams}/:teamId/users`]: { call: 2, withKey: 7 },
  [`DELETE ${teams}/:teamId/users/:userId`]: { call: 1 },
  [`GET ${campaigns}`]: { call: 1 },
  [`POST ${campaigns}`]: { call: 1, withKey: 6 },
  [`POST ${campaigns} with few fields`]: { call: 1, withKey: 6 },
  [`GET ${campaigns}/:campaignId`]: { call: 1 },
  [`PATCH ${campaigns}/:campaignId`]: { call: 1, withKey: 6 },
  [`PATCH ${campaigns}/:campaignId without a change`]: { call: 1, withKey: 3 },
  [`GET ${campaigns}/:campaignId/links`]: { call: 1 },
  [`GET ${campaigns}/:campaignId/links with a page after the last`]: { call: 1 },
  [`POST ${campaigns}/:campaignId/links`]: { call: 1, withKey: 6 },
  [`POST ${campaigns}/:campaignId/links without a name`]: { call: 1, withKey: 6 },
  [`GET ${links}/:linkId`]: { call: 1 },
  [`GET ${links}/:linkId/figures`]: { call: 2 },
  [`GET ${campaigns}/:campaignId/figures`]: { call: 2 },
  [`PATCH ${links}/:linkId`]: { call: 1, withKey: 6 },
  [`PATCH ${links}/:linkId without a change`]: { call: 1, withKey: 3 },
  [`PATCH ${links}/:linkId/password`]: { call: 2, withKey: 7 },
  [`GET ${campaigns}/:campaignId/redemptions`]: { call: 1 },
  [`GET ${campaigns}/:campaignId/redemptions with a billing status`]: { call: 1 },
  [`GET ${redemptions}/:redemptionId`]: { call: 1 },
  [`PATCH ${redemptions}/:redemptionId/extend`]: { call: 2, withKey: 7 },
  [`PATCH ${redemptions}/extend`]: { call: 2, withKey: 7 },
  [`PATCH ${redemptions}/billing`]: { call: 2, withKey: 7 },
  [`PATCH ${redemptions}/:redemptionId/billing`]: { call: 1, withKey: 6 },
  // The list has its months in one statement, and their totals in another.
  [`GET ${statements}`]: { call: 2 },
  // One reads the first month, one the totals, and one compares them.
  [`GET ${statements}/:month`]: { call: 3 },
  [`GET ${statements}/:month/entries`]: { call: 2 },
  [`GET ${statements}/:month/pdf`]: { call: 9 },
  'GET /api/assistants/v1/': { call: 1 },
  'GET /api/assistants/v1/:assistantId': { call: 1 },
  [`POST ${run}`]: { call: 11, withKey: 15 },
  // The right to the assistant is checked before the files are read.
  [`POST ${run} with a file`]: { call: 13, withKey: 15, operation: 11 },
  // The key that signs was made for a checkpoint before.
  'GET /api/assistants/v1/runs/:runId/receipt': { call: 1 },
  [`GET ${files}`]: { call: 1 },
  [`POST ${files}`]: { call: 12, withKey: 15 },
  [`GET ${files}/:documentId`]: { call: 1 },
  [`GET ${files}/:documentId/content`]: { call: 1 },
  [`PUT ${files}/:documentId`]: { call: 15, withKey: 18 },
  [`DELETE ${files}/:documentId`]: { call: 11 },
  'GET /api/usage/v1/usage': { call: 1 },
  'GET /api/events/v1/events': { call: 2 },
  'GET /api/audit/v1/entries': { call: 1 },
  // One reads the entry with the checkpoint, and one the path.
  'GET /api/audit/v1/entries/:entryId/proof': { call: 2 },
  'GET /api/audit/v1/checkpoints': { call: 1 },
  'GET /api/audit/v1/checkpoints/latest': { call: 1 },
  [`GET ${endpoints}`]: { call: 1 },
  // One reads the end of the feed, and one counts the endpoints.
  [`POST ${endpoints}`]: { call: 6, withKey: 9 },
  [`GET ${endpoints}/:endpointId`]: { call: 1 },
  [`PATCH ${endpoints}/:endpointId`]: { call: 6, withKey: 9 },
  [`PATCH ${endpoints}/:endpointId without a change`]: { call: 4, withKey: 7 },
  [`DELETE ${endpoints}/:endpointId`]: { call: 1 },
  [`POST ${endpoints}/:endpointId/rotate`]: { call: 4, withKey: 7 },
  [`POST ${endpoints}/:endpointId/test`]: { call: 6, withKey: 9 },
  [`POST ${endpoints}/:endpointId/replay`]: { call: 6, withKey: 9 },
  [`GET ${endpoints}/:endpointId/deliveries`]: { call: 2 },
  'POST /api/events/v1/deliveries/:deliveryId/retry': { call: 7, withKey: 10 },
  [`GET ${runs}/`]: { call: 1 },
  // One more reads the result and the message of the error.
  [`GET ${runs}/:runId`]: { call: 2 },
  // The last event has the result.
  [`GET ${runs}/:runId/events`]: { call: 2 },
  // One statement counts the cancelled step for the budgets that it has reserved from.
  [`POST ${runs}/:runId/cancel`]: { call: 10, withKey: 13 },
  [`DELETE ${runs}/:runId`]: { call: 4 },
  [`GET ${conversations}`]: { call: 1 },
  [`GET ${conversations} with a search`]: { call: 1 },
  [`POST ${conversations}`]: { call: 4, withKey: 9 },
  [`POST ${conversations}/erase`]: { call: 4, withKey: 7 },
  // One reads the conversation, one its messages, and one the attachments.
  [`GET ${conversations}/:conversationId`]: { call: 3 },
  [`GET ${conversations}/:conversationId with all branches`]: { call: 3 },
  [`PATCH ${conversations}/:conversationId`]: { call: 1, withKey: 6 },
  [`DELETE ${conversations}/:conversationId`]: { call: 4 },
  [`GET ${conversations}/:conversationId/export`]: { call: 4 },
  [`POST ${conversations}/:conversationId/share`]: { call: 2, withKey: 7 },
  [`DELETE ${conversations}/:conversationId/share`]: { call: 2 },
  'GET /api/conversations/v1/shared/:token': { call: 2 },
  'GET /api/conversations/v1/attachments/:attachmentId/content': { call: 1 },
  // Reads the settings, the conversation and its branch, and stores the question and the answer.
  [`POST ${run} in a conversation`]: { call: 28, withKey: 33 },
  'GET /api/openai/v1/models': { call: 1 },
  'GET /api/openai/v1/models/:model': { call: 1 },
  'POST /api/openai/v1/chat/completions': { call: 11 },
  // One finds the session.
  'GET /files/:assistantId/:documentId': { call: 2, operation: 1 },
};

describe.each(samples)('$title', ({ call: name, title, start }) => {
  it('The call, and its operation executed by GraphQL.js, need as many statements as this table says', async () => {
    const call = calls.find((candidate) => candidate.name === name);
    const expected = counts[title];
    if (!call || !expected)
      throw new Error(`${title} has no count of statements: add one to ${import.meta.filename}`);
    const { call: ofCall, operation: ofOperation = ofCall, withKey: ofKey } = expected;
    /** A slow run writes its record in two steps, so the fewest statements of some attempts count. */
    const fewest = async (wanted: number, send: (request: SampleRequest) => Promise<unknown>) => {
      let statements = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 10 && statements > wanted; attempt += 1) {
        const request = { app, call, ...(await start(app)) };
        statements = Math.min(statements, await count(() => send(request)));
      }
      return statements;
    };
    const wanted = {
      call: countOf(title, ofCall),
      operation: countOf(title, ofOperation),
      withKey: ofKey,
    };
    const keyed = { 'idempotency-key': 'counted' };
    expect({
      call: await fewest(wanted.call, (request) => sendCall(request)),
      operation: await fewest(wanted.operation, executePlainly),
      withKey: call.takesKey
        ? await fewest(ofKey ?? 0, (request) => sendCall(request, keyed))
        : undefined,
    }).toEqual(wanted);
  });
});

type Key = keyof typeof keys;

/** The statements of queries that nest lists: as many for a demo's data as for one of each. */
const queries: [title: string, key: Key, statements: number, query: string][] = [
  [
    'an administrator’s dashboard',
    'organization',
    8,
    `{ organization { name memberCount }
       users(pageSize: 10) { totalCount nodes { email apiKeyCount teams { name memberCount users(pageSize: 2) { totalCount nodes { email } } } } }
       teams { nodes { name memberCount users(pageSize: 3) { totalCount nodes { email isAdmin } } } } }`,
  ],
  [
    'a partner’s dashboard',
    'organization',
    12,
    `{ campaigns(pageSize: 5, orderBy: { field: COMPLETED_REDEMPTIONS, direction: DESC }) { totalCount nodes {
         name
         seats { sponsorships given used }
         links(pageSize: 3) { totalCount nodes { name url campaign { name } } }
         redemptions(pageSize: 3, billingStatus: BILLED) { totalCount nodes {
           organizationName usedSeats link { name } campaign { name }
           billingChanges(pageSize: 2) { totalCount nodes { statusBefore status amount } } } }
         reservations(pageSize: 3) { totalCount nodes { expiresAt link { name } } } } }
       redemptionMonths(months: 12) { month redemptions amountEur byBillingStatus { billingStatus redemptions amountEur } }
       expiringRedemptions(days: 100, pageSize: 5) { totalCount nodes { organizationName sponsoredUntil } } }`,
  ],
  [
    'redemptions of all campaigns',
    'organization',
    1,
    '{ redemptions(pageSize: 50) { totalCount nodes { organizationName campaignName userEmail linkName } } }',
  ],
  [
    'redemptions with a search',
    'organization',
    2,
    '{ redemptions(pageSize: 50, search: "a") { totalCount nodes { organizationName } } }',
  ],
  [
    'one part of a summary',
    'organization',
    1,
    '{ sponsorshipSummary { billing { redemptions } } }',
  ],
  [
    'a summary',
    'organization',
    6,
    `{ sponsorshipSummary {
         billing { billingStatus redemptions amountEur }
         campaigns { total live exhausted ended switchedOff }
         sponsorships { running endingWithin30Days endingWithin60Days endingWithin90Days }
         seats { sponsorships given used } }
       campaigns(pageSize: 10, orderBy: { field: NAME, direction: ASC }) { nodes { name billing { billingStatus redemptions amountEur } } } }`,
  ],
  // The list, the number of files, and the files.
  [
    'assistants with files',
    'user',
    3,
    '{ assistants { nodes { id fileCount files { nodes { id originalName } } } } }',
  ],
  // The list, the shares, and their users.
  [
    'assistants with shares',
    'user',
    3,
    '{ assistants { nodes { id name myLevel shares { level user { email } team { name } } } } }',
  ],
];

it.each(queries)(
  '%s with the key of %s needs %i statements',
  async (title, key, statements, query) => {
    const ask = async () => {
      const { errors } = await app.graph(keys[key], query);
      expect(errors).toEqual([]);
    };
    // The first one opens connections, which send statements of their own.
    await ask();
    expect(await count(ask)).toBe(countOf(title, statements));
  },
);
