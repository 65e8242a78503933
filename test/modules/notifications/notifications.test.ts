import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimFile } from '../../../src/modules/assistant-files/processing/claim-file.ts';
import { failFile } from '../../../src/modules/assistant-files/processing/finish-file.ts';
import { announceDue } from '../../../src/modules/events/announce-due.ts';
import { notificationStatement } from '../../../src/modules/notifications/notify.ts';
import { sweepNotifications } from '../../../src/modules/notifications/sweep-notifications.ts';
import { sweepRuns } from '../../../src/modules/runs/durable/sweep-runs.ts';
import { fragment } from '../../../src/platform/database/sql.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import type { TestOrganization } from '../../support/app.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { partnerIn } from '../../support/partner.ts';
import { redeemMany } from '../../support/redeem-many.ts';
import { rounds } from '../../support/rounds.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const dayMs = 86_400_000;

type Told = { id: string; kind: string; subjectId: string; path: string; readAt: string | null };
type Listed = {
  notifications: { totalCount: number; nodes: Told[] };
  unreadNotifications: { count: number };
};

let app: TestApp;
let organization: TestOrganization;
const now = new Date();
let ada: TestPerson;
let emil: TestPerson;
let adaSession: TestSession;
let emilSession: TestSession;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.organization();
  ada = await personIn(app, organization);
  emil = await personIn(app, organization);
  [adaSession, emilSession] = [await signIn(app, ada.id), await signIn(app, emil.id)];
});

const read = async (session: TestSession, args = 'first: 100', headers = {}): Promise<Listed> => {
  const { data, errors } = await session.graph<Listed>(
    `{ notifications(${args}) { totalCount nodes { id kind subjectId path readAt } } unreadNotifications { count } }`,
    {},
    headers,
  );
  if (!data) throw new Error(JSON.stringify(errors));
  return data;
};
const told = async (session: TestSession) =>
  (await read(session)).notifications.nodes.map(({ kind, subjectId, path }) => [
    kind,
    subjectId,
    path,
  ]);
const markRead = (session: TestSession, ids: unknown = null) =>
  session.graph<{ marked: { unreadNotifications: { count: number } } }>(
    `mutation ($ids: [ID!]) { marked: markNotificationsRead(input: { ids: $ids }) { unreadNotifications { count } } }`,
    { ids },
  );
const mute = (session: TestSession, kind: string, isMuted: boolean) =>
  session.graph(
    `mutation ($kind: NotificationKind!, $isMuted: Boolean!) {
      muteNotifications(input: { kind: $kind, isMuted: $isMuted }) { person { mutedNotifications } } }`,
    { kind, isMuted },
  );
/** Tells a person of things that happened at these times. */
const tell = (person: { id: string }, count: number, at = now, subject = 'subject') =>
  inTransaction(app.database.unscoped, async (tx) => {
    const recipients = fragment`
      select ${organization.id}::text as organization_id, ${person.id}::text as user_id, ${subject} || n as subject_id,
        null::text as assistant_id, null::text as conversation_id from generate_series(1, ${count}::int) n`;
    tx.enqueue`${notificationStatement({ kind: 'BUDGET_REACHED', recipients, at })}`;
  });

describe('A person is told', () => {
  it('of an assistant that is shared with them or with their team, once, and not of what they share', async () => {
    const assistantId = await assistantOf(ada);
    await share(ada, assistantId, 'VIEW', { userId: emil.id });
    const path = `/assistants/${assistantId}`;
    expect(await told(emilSession)).toEqual([['ASSISTANT_SHARED', assistantId, path]]);
    await share(ada, assistantId, 'EDIT', { userId: emil.id });
    expect(await told(emilSession)).toHaveLength(1);
    expect(await told(adaSession)).toEqual([]);

    const other = await assistantOf(ada, { name: 'Other' });
    await share(ada, other, 'VIEW');
    expect(await told(emilSession)).toHaveLength(1);

    const { body } = await organization.manage('POST', '/teams', { name: 'Readers' });
    const teamId = String(Object(body['team']).id);
    for (const { id } of [ada, emil])
      await organization.manage('POST', `/teams/${teamId}/users`, { userId: id });
    const third = await assistantOf(ada, { name: 'Third' });
    await share(ada, third, 'VIEW', { teamId });
    expect(await told(emilSession)).toHaveLength(2);
    expect(await told(emilSession)).toContainEqual([
      'ASSISTANT_SHARED',
      third,
      `/assistants/${third}`,
    ]);
    expect(await told(adaSession)).toEqual([]);
  });

  it('of a file of theirs that could not be read, once, whichever process gives it up', async () => {
    const assistantId = await assistantOf(ada);
    await app.database.prisma.assistantFile.create({
      data: {
        ...{ id: `file-${ada.id}`, assistantId, organizationId: organization.id },
        ...{ originalName: 'plan.pdf', mimeType: 'application/pdf', size: 1, hash: 'a'.repeat(64) },
        ...{ storageKey: `key-${ada.id}`, uploadedById: ada.id },
      },
    });
    const unscoped = { database: app.database.unscoped, clock: () => now };
    const file = await claimFile({ holder: 'one', perOrganizationMax: 10 }, unscoped);
    if (!file) throw new Error('no file to claim');
    const fault = { code: 'UNREADABLE', message: 'It has no text' };
    await failFile({ ...file, holder: 'another' }, fault, unscoped);
    expect(await told(adaSession)).toEqual([]);
    await Promise.all(Array.from({ length: 4 }, () => failFile(file, fault, unscoped)));
    expect(await told(adaSession)).toEqual([
      ['FILE_FAILED', file.id, `/assistants/${assistantId}/files`],
    ]);
    expect(await told(emilSession)).toEqual([]);
  });

  it('of a durable run that expired, but not of a short or a plain one', async () => {
    const assistantId = await assistantOf(ada);
    const { sql } = app.database.unscoped;
    const ended = {
      database: app.database.unscoped,
      clock: () => now,
      runs: app.contextParts.runs,
    };
    const insert = (id: string, state: string, isDurable: boolean, hours: number) => sql`
      insert into runs (id, organization_id, assistant_id, assistant_version, user_id, state, model, is_durable, created_at, started_at, lease_until)
      values (${id}, ${organization.id}, ${assistantId}, now(), ${ada.id}, ${state}::run_state, 'large', ${isDurable}::boolean,
        ${new Date(now.getTime() - hours * 3_600_000)}, now(), now() - interval '1 hour')`;
    await insert(`durable-${ada.id}`, 'QUEUED', true, 25);
    await insert(`plain-${ada.id}`, 'RUNNING', false, 25);
    await Promise.all([sweepRuns(ended), sweepRuns(ended)]);
    expect(await told(adaSession)).toEqual([
      ['RUN_ENDED', `durable-${ada.id}`, `/assistants/${assistantId}`],
    ]);
  });

  it('as an administrator of a budget at 80 % and at 100 %, once each, also without mail', async () => {
    const { sql } = app.database.unscoped;
    const administrator = await signIn(app, organization.administratorId);
    const id = `budget-${organization.id}`;
    await sql`
      insert into budgets (id, organization_id, scope, metric, period, limit_amount, used, mode, period_start)
      values (${id}, ${organization.id}, 'ORGANIZATION', 'TOKENS', 'TOTAL', 100, 85, 'WARN', ${new Date(0)})`;
    const { notify } = app.contextParts.budgets;
    await Promise.all([notify(), notify()]);
    const reached = ['BUDGET_REACHED', id, '/settings/usage'];
    expect(await told(administrator)).toEqual([reached]);
    await sql`update budgets set used = 100 where id = ${id}`;
    await notify();
    await notify();
    expect(await told(administrator)).toEqual([reached, reached]);
    expect(await told(adaSession)).toEqual([]);
  });

  it('of keys of theirs and of sponsorships that end soon, once for each date', async () => {
    const partner = await partnerIn(app);
    const { prisma, sql } = app.database;
    const { id: campaignId } = await partner.campaign();
    const { id: linkId } = await partner.link(campaignId);
    await redeemMany(app, linkId, ['Soon', 'Later']);
    const soon = new Date(now.getTime() + 3 * dayMs);
    const redemption = await prisma.redemption.findFirstOrThrow({
      where: { sponsoredOrganization: { name: 'Soon' }, campaign: { id: campaignId } },
    });
    await sql`update redemptions set sponsored_until = ${soon} where id = ${redemption.id}`;
    const administrator = await signIn(app, partner.administratorId);
    await partner.userKey(partner.administratorId);
    await sql`
      update api_keys set expires_at = ${soon}, responsible_id = case when kind = 'ORGANIZATION' then ${partner.administratorId} end
      where organization_id = ${partner.id} and (kind = 'ORGANIZATION' or user_id = ${partner.administratorId})`;
    const keys = await prisma.apiKey.findMany({
      where: { organizationId: partner.id, expiresAt: { not: null } },
    });
    await Promise.all(
      Array.from({ length: 3 }, () => announceDue({ database: app.database, clock: () => now })),
    );
    await announceDue({ database: app.database, clock: () => now });
    expect(new Set(keys.map(({ kind }) => kind))).toEqual(new Set(['USER', 'ORGANIZATION']));
    const expected = [
      ...keys.map(({ id, kind }) =>
        kind === 'USER'
          ? ['KEY_EXPIRES', id, '/settings/keys']
          : ['ORGANIZATION_KEY_EXPIRES', id, '/settings/organization-keys'],
      ),
      ['REDEMPTION_ENDS', redemption.id, `/sponsorship/redemptions/${redemption.id}`],
    ];
    expect((await told(administrator)).toSorted()).toEqual(expected.toSorted());

    const subjects = async () => {
      const { data } = await administrator.graph<{
        notifications: { nodes: { kind: string; subjectName: unknown; subjectEndsAt: unknown }[] };
      }>('{ notifications(first: 20) { nodes { kind subjectName subjectEndsAt } } }');
      return data?.notifications.nodes
        .toSorted((one, other) => one.kind.localeCompare(other.kind))
        .map(({ subjectName, subjectEndsAt }) => [subjectName, subjectEndsAt]);
    };
    const keysHave = keys.map(() => [null, null]);
    expect(await subjects()).toEqual([...keysHave, ['Soon', soon.toISOString()]]);
    const later = new Date(soon.getTime() + dayMs);
    await sql`update redemptions set sponsored_until = ${later} where id = ${redemption.id}`;
    expect(await subjects()).toEqual([...keysHave, ['Soon', later.toISOString()]]);
    // Whoever is no longer an administrator does not see whom the partner sponsors.
    await sql`
      update memberships set role = 'MEMBER' where organization_id = ${partner.id} and user_id = ${partner.administratorId}`;
    expect(await subjects()).toEqual([...keysHave, [null, null]]);
  });

  it('as the administrator who invited somebody, once the invitation is accepted', async () => {
    const administrator = await signIn(app, organization.administratorId);
    const guest = await (await app.organization()).member(`guest@${organization.slug}.example`);
    const { data } = await administrator.graph<{
      inviteMember: { link: string; invitation: { id: string } };
    }>(
      'mutation ($email: EmailAddress!) { inviteMember(input: { email: $email, role: MEMBER }) { link invitation { id } } }',
      { email: `guest@${organization.slug}.example` },
    );
    const token = new URL(data?.inviteMember.link ?? '').searchParams.get('invitation');
    const guestSession = await signIn(app, guest.id);
    const accept = () =>
      guestSession.graph(
        'mutation ($token: String!) { acceptInvitation(input: { token: $token }) { organization { id } } }',
        { token },
      );
    const [first, second] = await Promise.all([accept(), accept()]);
    expect([first.errors.length, second.errors.length].toSorted()).toEqual([0, 1]);
    expect(await told(administrator)).toEqual([
      ['INVITATION_ACCEPTED', data?.inviteMember.invitation.id, '/settings/members'],
    ]);
  });
});

const names = async (session: TestSession) => {
  const { data } = await session.graph<{
    notifications: { nodes: { kind: string; subjectName: string | null }[] };
  }>(
    '{ notifications(first: 20, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { kind subjectName } } }',
  );
  return data?.notifications.nodes.map(({ subjectName }) => subjectName);
};

describe('Notifications', () => {
  it('name the file or the assistant as long as the person may see it', async () => {
    const assistantId = await assistantOf(ada, { name: 'Handbook' });
    await share(ada, assistantId, 'VIEW', { userId: emil.id });
    expect(await names(emilSession)).toEqual(['Handbook']);
    const id = `named-${ada.id}`;
    await app.database.prisma.assistantFile.create({
      data: {
        ...{ id, assistantId, organizationId: organization.id, storageKey: id, size: 1 },
        ...{ originalName: 'plan.pdf', mimeType: 'application/pdf', hash: 'a'.repeat(64) },
      },
    });
    await inTransaction(app.database.unscoped, async (tx) => {
      const recipients = fragment`
        select ${organization.id}::text as organization_id, ${emil.id}::text as user_id, ${id}::text as subject_id,
          ${assistantId}::text as assistant_id, null::text as conversation_id`;
      const later = new Date(now.getTime() + 1_000);
      tx.enqueue`${notificationStatement({ kind: 'FILE_FAILED', recipients, at: later })}`;
    });
    await tell(emil, 1, new Date(now.getTime() + 2_000));
    expect(await names(emilSession)).toEqual(['Handbook', 'plan.pdf', null]);

    await ada.graph(
      'mutation ($input: UnshareAssistantInput!) { unshareAssistant(input: $input) { assistant { id } } }',
      { input: { assistantId, userId: emil.id } },
    );
    expect(await names(emilSession)).toEqual([null, null, null]);
  });

  it('are marked as read by their person, some or all', async () => {
    await tell(ada, 3);
    const { notifications, unreadNotifications } = await read(adaSession);
    expect([notifications.totalCount, unreadNotifications.count]).toEqual([3, 3]);
    const [first, second] = notifications.nodes;
    expect((await markRead(adaSession, [first?.id, first?.id])).data?.marked).toEqual({
      unreadNotifications: { count: 2 },
    });
    const after = await read(adaSession);
    expect(after.notifications.nodes.map(({ readAt }) => readAt !== null)).toEqual([
      true,
      false,
      false,
    ]);
    expect(after.notifications.nodes[1]?.id).toBe(second?.id);
    expect((await markRead(adaSession)).data?.marked.unreadNotifications.count).toBe(0);
  });

  it('of others are neither seen, nor counted, nor marked', async () => {
    await tell(ada, 2);
    const [mine] = (await read(adaSession)).notifications.nodes;
    expect((await read(emilSession)).notifications.totalCount).toBe(0);
    const node = '($id: ID!) { node(id: $id) { id } }';
    expect((await adaSession.graph(`query ${node}`, { id: mine?.id })).data).toEqual({
      node: { id: mine?.id },
    });
    expect((await emilSession.graph(`query ${node}`, { id: mine?.id })).data).toEqual({
      node: null,
    });
    expect((await markRead(emilSession, [mine?.id])).errors).toEqual([]);
    expect((await markRead(emilSession)).errors).toEqual([]);
    expect((await read(adaSession)).unreadNotifications.count).toBe(2);
  });

  it('need a signed-in person, and valid ids and kinds', async () => {
    const list = '{ notifications { totalCount } }';
    expect((await app.graph(ada.key, list)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(
      (await app.graph(await organization.keyOf('ORGANIZATION_KEY'), list)).errors[0]?.extensions
        ?.code,
    ).toBe('FORBIDDEN');
    const tooMany = Array.from({ length: 101 }, (_, index) => `id-${index}`);
    expect((await markRead(adaSession, tooMany)).code).toBe('BAD_INPUT');
    expect((await markRead(adaSession, ['a\0b'])).code).toBe('BAD_INPUT');
    expect((await mute(adaSession, 'NEWS', true)).code).toBe('BAD_INPUT');
  });

  it('of a kind that is switched off are not stored, and those before stay', async () => {
    await tell(ada, 1);
    const muted = await mute(adaSession, 'BUDGET_REACHED', true);
    expect(muted.data).toEqual({
      muteNotifications: { person: { mutedNotifications: ['BUDGET_REACHED'] } },
    });
    await mute(adaSession, 'BUDGET_REACHED', true);
    await tell(ada, 1);
    await tell(emil, 1);
    expect((await read(adaSession)).notifications.totalCount).toBe(1);
    expect((await read(emilSession)).notifications.totalCount).toBe(1);
    await mute(adaSession, 'BUDGET_REACHED', false);
    await tell(ada, 1);
    expect((await read(adaSession)).notifications.totalCount).toBe(2);
  });

  it('Two kinds that are switched off at the same time are both off', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const kinds = ['BUDGET_REACHED', 'FILE_FAILED', 'RUN_ENDED'];
      await Promise.all(kinds.map((kind) => mute(adaSession, kind, true)));
      const { data } = await adaSession.graph<{
        viewer: { person: { mutedNotifications: string[] } };
      }>('{ viewer { person { mutedNotifications } } }');
      expect(data?.viewer.person.mutedNotifications.toSorted()).toEqual(kinds);
      await Promise.all(kinds.map((kind) => mute(adaSession, kind, false)));
    }
  });

  it('are at most 500 for a person, the newest ones', async () => {
    await tell(ada, 499, new Date(now.getTime() - 2_000), 'old');
    await tell(emil, 1);
    await tell(ada, 3, new Date(now.getTime() - 1_000), 'new');
    const { notifications, unreadNotifications } = await read(adaSession, 'first: 5');
    expect(notifications.totalCount).toBe(500);
    expect(unreadNotifications.count).toBe(500);
    expect(notifications.nodes.filter(({ subjectId }) => subjectId.startsWith('new'))).toHaveLength(
      3,
    );
    expect((await read(emilSession)).notifications.totalCount).toBe(1);
  });

  it('are all stored when many things happen at once, and never lose a new one to the limit', async () => {
    await tell(ada, 500, new Date(now.getTime() - 60_000), 'old');
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => tell(ada, 2, now, `new-${round}-${index}-`)),
      );
    await tell(ada, 1, now, 'last');
    const { notifications } = await read(adaSession, 'first: 100');
    expect(notifications.totalCount).toBe(500);
    const fresh = notifications.nodes.filter(({ subjectId }) => !subjectId.startsWith('old'));
    expect(fresh).toHaveLength(rounds * 12 + 1);
  });

  it('older than 90 days are swept, by several processes at once', async () => {
    await tell(ada, 2, new Date(now.getTime() - 90 * dayMs - 1_000), 'old');
    await tell(ada, 2, new Date(now.getTime() - 90 * dayMs + 60_000), 'young');
    const sweep = () => sweepNotifications({ database: app.database, clock: () => now });
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await told(adaSession)).map(([, subject]) => subject?.replace(/\d/, ''))).toEqual([
      'young',
      'young',
    ]);
  });

  it('are separate for each organization, and end with the membership', async () => {
    const other = await app.organization();
    await tell(ada, 2);
    await other.manage('POST', '/users/add', { email: ada.email });
    await app.database.sql`
      update memberships set accepted_at = now() where organization_id = ${other.id} and user_id = ${ada.id}`;
    const inOther = await read(adaSession, 'first: 10', { 'x-atrium-organization': other.id });
    expect(inOther.notifications.totalCount).toBe(0);
    const left = await adaSession.graph(
      'mutation ($id: ID!) { leaveOrganization(input: { organizationId: $id }) { leftOrganizationId } }',
      { id: organization.id },
    );
    expect(left.errors).toEqual([]);
    const rows = await app.database.sql`select id from notifications where user_id = ${ada.id}`;
    expect(rows).toEqual([]);
  });

  it('are not stored for a person who has not accepted the membership', async () => {
    await app.database.sql`
      update memberships set accepted_at = null where organization_id = ${organization.id} and user_id = ${emil.id}`;
    await tell(emil, 1);
    expect(await app.database.sql`select id from notifications where user_id = ${emil.id}`).toEqual(
      [],
    );
  });

  it('are in the export of an account, and are erased with it', async () => {
    await tell(ada, 1);
    const exported = await adaSession.graph<{ exportAccount: { data: Record<string, unknown> } }>(
      'mutation { exportAccount(input: {}) { data } }',
    );
    expect(exported.data?.exportAccount.data['notifications']).toEqual([
      expect.objectContaining({ kind: 'BUDGET_REACHED', subjectId: 'subject1', readAt: null }),
    ]);
    const deleted = await adaSession.graph(
      'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
      { email: ada.email },
    );
    expect(deleted.errors).toEqual([]);
    expect(await app.database.sql`select id from notifications where user_id = ${ada.id}`).toEqual(
      [],
    );
  });

  it('A failed change tells nobody', async () => {
    const assistantId = await assistantOf(ada);
    const refused = await share(ada, assistantId, 'VIEW', { userId: ada.id });
    expect(refused.errors.length).toBe(1);
    const { sql } = app.database;
    expect(await sql`select id from notifications where subject_id = ${assistantId}`).toEqual([]);
  });
});
