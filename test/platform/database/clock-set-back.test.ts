import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claimFile,
  postpone,
  renewLease,
  shortenFileTimes,
} from '../../../src/modules/assistant-files/processing/claim-file.ts';
import { shortenRemovalTimes } from '../../../src/modules/assistant-files/processing/remove-leftovers.ts';
import { createLeases } from '../../../src/modules/quotas/leases.ts';
import { claimRun, nextOrganization } from '../../../src/modules/runs/durable/claim-run.ts';
import { sweepRuns } from '../../../src/modules/runs/durable/sweep-runs.ts';
import { sweepLinkInvitations } from '../../../src/modules/sponsorship/invitations/send-link-invitations.ts';
import { claimDeliveries } from '../../../src/modules/webhooks/delivering/claim-deliveries.ts';
import { recordOutcome } from '../../../src/modules/webhooks/delivering/record-outcome.ts';
import { sweepDeliveries } from '../../../src/modules/webhooks/delivering/sweep-deliveries.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { startRequest, statusOf } from '../../../src/platform/idempotency/request-records.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { databases } from '../../support/databases.ts';
import { partnerIn } from '../../support/partner.ts';
import { setClockBack } from '../../support/set-clock-back.ts';
import { webhooksOf } from '../../support/webhook-app.ts';

const hourMs = 3_600_000;

describe.each(databases)('Jumps of the clock with the database $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let person: TestPerson;
  let organizationId: string;
  let assistantId: string;

  beforeAll(async () => {
    database = await open();
    app = await testApp({ PUBLIC_REQUEST_LOOPBACK: 'true' }, { database });
    const organization = await app.organization();
    organizationId = organization.id;
    person = await personIn(app, organization);
    assistantId = await assistantOf(person);
  });
  afterAll(() => app.close());

  /** How far a time lies ahead; null if it is not set. */
  async function secondsAhead(table: string, column: string, id: string, idColumn = 'id') {
    const text = `select extract(epoch from "${column}" - clock_timestamp())::float8 as seconds from "${table}" where "${idColumn}" = `;
    const [row] = await database.sql<{ seconds: number | null }>(
      Object.assign([text, ''], { raw: [text, ''] }),
      id,
    );
    return row?.seconds;
  }
  async function storeFile(): Promise<string> {
    const id = randomUUID();
    await database.prisma.assistantFile.create({
      data: {
        ...{ id, assistantId, organizationId, originalName: id, mimeType: 'text/plain' },
        ...{ size: 1, hash: '0'.repeat(64), storageKey: id },
      },
    });
    return id;
  }
  async function claimedFile(more: { held?: string[] } = {}) {
    return claimFile({ holder: 'one', perOrganizationMax: 9, ...more }, { database });
  }
  async function storeRun(isDurable: boolean): Promise<string> {
    const id = randomUUID();
    await database.sql`
      insert into runs (id, organization_id, assistant_id, assistant_version, user_id, state, model, is_durable, created_at, lease_until)
      values (${id}, ${organizationId}, ${assistantId}, now(), ${person.id}, ${isDurable ? 'QUEUED' : 'RUNNING'}::run_state, 'large',
        ${isDurable}::boolean, now(), ${isDurable ? null : new Date(Date.now() + 30_000)})`;
    return id;
  }
  const claimedRun = (executing: string[] = []) =>
    claimRun({ organizationId, executing }, { database, clock: () => new Date() });
  async function storeDelivery() {
    const organization = await app.organization();
    const { id } = await webhooksOf(organization, app).create('http://127.0.0.1:9/hook');
    await database.sql`
      insert into webhook_deliveries (id, endpoint_id, organization_id, event_id, event_type, event_at, resource_key, data, next_try_at, created_at)
      values (${id}, ${id}, ${organization.id}, ${id}, 'team.created', now(), 'Team:1', '{}', now(), now())`;
    const claim = (held: string[] = []) =>
      claimDeliveries(
        { organizationId: organization.id, max: 9, held },
        { database: database.unscoped, clock: () => new Date() },
      );
    return { id, claim };
  }

  it('Set back by an hour, it delays no work, and no lease gets a second holder', async () => {
    const { log } = app.contextParts;
    await storeFile();
    const waiting = await claimedFile();
    if (waiting) await postpone(waiting, { seconds: 8, isCounted: true }, { database });
    await storeFile();
    const held = await claimedFile();
    await database.sql`
      insert into file_removals (id, organization_id, storage_keys, created_at, lease_until, next_attempt_at)
      values ('removal', ${organizationId}, '{}', now(), now() + interval '30 seconds', now() + interval '60 seconds')`;
    const plainRun = await storeRun(false);
    const durableRun = await storeRun(true);
    const claimed = await claimedRun();
    const quotas = createLeases({ database, log });
    await quotas.take({ kind: 'RUNS', organizationId, limit: 9 });
    quotas.close();
    const request = { organizationId, userId: person.id, key: 'the-same-key' };
    await startRequest(request, Buffer.alloc(32), new Date(), { database });
    const [delivery, leased] = [await storeDelivery(), await storeDelivery()];
    const [tried] = await delivery.claim();
    if (tried)
      await recordOutcome(
        tried,
        { status: null, error: 'refused', answer: null, retryAfterMs: undefined },
        { database: database.unscoped, clock: () => new Date() },
      );
    await leased.claim();
    const partner = await partnerIn(app);
    const { id: linkId } = await partner.link((await partner.campaign()).id);
    await database.sql`
      insert into link_invitations (id, link_id, campaign_id, organization_id, email, token_hash, origin, language, created_at, expires_at,
        next_mail, mail_due_at)
      select 'invitation', id, campaign_id, organization_id, 'guest@guests.example', '\\x00', '', 'EN', now(), now() + interval '14 days',
        'INVITATION', now()
      from links where id = ${String(linkId)}`;

    await setClockBack(database, hourMs);
    const times = {
      'a paused file': [120, ['assistant_files', 'next_attempt_at', String(waiting?.id)]],
      'a file that is processed': [20, ['assistant_files', 'lease_until', String(held?.id)]],
      'a removal': [30, ['file_removals', 'lease_until', 'removal']],
      'a paused removal': [60, ['file_removals', 'next_attempt_at', 'removal']],
      'a run of a request': [30, ['runs', 'lease_until', plainRun]],
      'a durable run': [30, ['runs', 'lease_until', durableRun]],
      'a lease of a quota': [30, ['quota_leases', 'expires_at', organizationId, 'organization_id']],
      'a request': [10, ['idempotent_requests', 'alive_until', request.key, 'key']],
      'a delivery that failed': [0, ['webhook_deliveries', 'next_try_at', delivery.id]],
      'a delivery that is tried': [20, ['webhook_deliveries', 'lease_until', leased.id]],
      'an invitation': [0, ['link_invitations', 'mail_due_at', 'invitation']],
    } satisfies Record<string, [number, [string, string, string, string?]]>;
    const late = async () => {
      const names: string[] = [];
      for (const [name, [seconds, column]] of Object.entries(times)) {
        const ahead = await secondsAhead(...(column as Parameters<typeof secondsAhead>));
        if (typeof ahead !== 'number' || ahead > seconds) names.push(name);
      }
      return names;
    };
    expect(await late()).toEqual(Object.keys(times));

    await shortenFileTimes({ database });
    await shortenRemovalTimes({ database });
    await sweepRuns({ ...app.contextParts, database });
    await statusOf(request, new Date(), { database });
    await sweepDeliveries({ database, clock: () => new Date() });
    await sweepLinkInvitations({ database, clock: () => new Date() });
    expect(await late()).toEqual([]);
    expect(await claimedFile()).toBeUndefined();
    expect(await claimedRun()).toBeUndefined();
    expect(held && (await renewLease(held, { database }))).toBe(true);
    expect(claimed?.id).toBe(durableRun);
    const another = await startRequest(request, Buffer.alloc(32), new Date(), { database });
    expect(another).toBeUndefined();
    expect(await leased.claim()).toEqual([]);
    expect(await delivery.claim()).toHaveLength(1);
  });

  it('After it has jumped ahead, a process does not begin a second time what it still does', async () => {
    await database.sql`delete from assistant_files`;
    await database.sql`delete from runs`;
    await database.sql`delete from quota_leases`;
    const fileId = await storeFile();
    await claimedFile();
    const runId = await storeRun(true);
    await claimedRun();
    const delivery = await storeDelivery();
    await delivery.claim();
    await setClockBack(database, -hourMs);
    const executing = [runId];
    expect(await claimedFile({ held: [fileId] })).toBeUndefined();
    expect(
      await nextOrganization({ runsLimit: 9, excluded: [], executing }, { database }),
    ).toBeUndefined();
    expect(await claimedRun(executing)).toBeUndefined();
    expect(await delivery.claim([delivery.id])).toEqual([]);
    // To other processes it looks as if the holder had died.
    expect(await claimedFile()).toMatchObject({ id: fileId });
    expect(await claimedRun()).toMatchObject({ id: runId });
    expect(await delivery.claim()).toHaveLength(1);
  });
});
