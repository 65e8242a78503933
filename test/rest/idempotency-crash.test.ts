import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takesIdempotencyKey } from '../../src/rest/idempotency-key.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { everyCall } from '../support/calls.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { withTrigger } from '../support/trigger.ts';

let app: TestApp;
let owner: TestPartner;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await partnerIn(app);
});
afterAll(() => app.close());

const entries = () => app.database.prisma.auditEntry.count();

/** Simulates a process that is killed after the commit and before it has stored its response. */
const withLostResponse = <T>(work: () => Promise<T>) =>
  withTrigger(
    app.database,
    'before update on idempotent_requests',
    'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
    work,
  );

const createLink = async () => owner.link((await owner.campaign()).id);
const createRedemption = async () => {
  const { id } = await owner.campaign({ includedSeats: 5 });
  await owner.price(id, 49.9);
  return owner.redeem(await owner.link(id));
};

/**
 * A request for every call that takes a key, by its operation. `ids` are the ids in the path, in
 * their order.
 */
const sampleRequests: Record<string, () => Promise<{ ids?: string[]; body: unknown }>> = {
  'sponsorship/create-campaign': async () => ({
    body: { name: 'Crash', durationMonths: 6, expiresAt: '2040-01-31T12:00:00.000Z' },
  }),
  'sponsorship/update-campaign': async () => ({
    ids: [(await owner.campaign()).id],
    body: { name: 'Renamed', isActive: false },
  }),
  'sponsorship/create-link': async () => ({
    ids: [(await owner.campaign()).id],
    body: { password: 'a good password' },
  }),
  'sponsorship/update-link': async () => ({
    ids: [(await createLink()).id],
    body: { name: 'Renamed' },
  }),
  'sponsorship/set-link-password': async () => ({
    ids: [(await createLink()).id],
    body: { password: 'a better password' },
  }),
  'sponsorship/extend-redemption': async () => ({
    ids: [(await createRedemption()).id],
    body: { newSponsoredUntil: '2040-01-31T12:00:00.000Z', reason: 'thanks' },
  }),
  'sponsorship/set-redemption-billing': async () => ({
    ids: [(await createRedemption()).id],
    body: { billingStatus: 'BILLED', billingAmount: 12.5 },
  }),
  'sponsorship/bulk-extend-redemptions': async () => {
    const redemptionId = (await createRedemption()).id;
    return {
      body: { redemptions: [{ redemptionId, newSponsoredUntil: '2040-01-31T12:00:00.000Z' }] },
    };
  },
  'sponsorship/bulk-set-redemption-billing': async () => {
    const redemptionId = (await createRedemption()).id;
    return { body: { redemptions: [{ redemptionId, billingStatus: 'BILLED' }] } };
  },
  'user-management/bulk-create-users': async () => ({
    body: { users: [{ email: 'crash-bulk@idempotency.example', firstName: 'Crash' }] },
  }),
  'user-management/update-user': async () => {
    const { body } = await owner.manage('POST', '/users', {
      email: 'crash-update@idempotency.example',
      firstName: 'Crash',
    });
    return { ids: [String(Object(body['user']).id)], body: { firstName: 'Crashed' } };
  },
  'user-management/update-team': async () => {
    const { body } = await owner.manage('POST', '/teams', { name: 'Crash before' });
    return { ids: [String(Object(body['team']).id)], body: { name: 'Crash after' } };
  },
  'user-management/create-user': async () => ({
    body: { email: 'crash@idempotency.example', firstName: 'Crash' },
  }),
  'user-management/add-user': async () => {
    await (await app.organization()).member('crash-add@idempotency.example');
    return { body: { email: 'crash-add@idempotency.example' } };
  },
  'user-management/create-team': async () => ({ body: { name: 'Crash' } }),
  'user-management/add-team-user': async () => {
    const { id } = await app.database.prisma.team.create({
      data: { id: 'crash', organizationId: owner.id, name: 'Crashed', nameKey: 'crashed' },
    });
    return { ids: [id], body: { userId: owner.administratorId } };
  },
};

// A run writes nothing, so no commit can be lost and a retry runs again. Uploads are tested in
// upload-idempotency.test.ts.
const writes = ({ operation, takesFile }: { operation: string; takesFile: boolean }) =>
  operation !== 'assistants/run-assistant' && !takesFile;

describe('a crash between the commit and the response', () => {
  it.each(everyCall.filter((call) => takesIdempotencyKey(call) && writes(call)))(
    '$title: the retry gets the lost response and writes nothing',
    async (call) => {
      const sampleRequest = await sampleRequests[call.operation]?.();
      if (!sampleRequest) throw new Error(`add a sample for ${call.operation}`);
      const ids = [...(sampleRequest.ids ?? [])];
      const path = call.template.replaceAll(/:\w+/g, () => ids.shift() ?? '');
      const send = () =>
        owner.call(call.method, path, sampleRequest.body, {
          'idempotency-key': `crash-${call.operation}`,
        });
      const before = await entries();
      const lostResponse = await withLostResponse(send);
      const written = await entries();
      const retried = await send();
      const repeated = await send();
      expect({
        status: lostResponse.status,
        text: lostResponse.text,
        written: written - before,
      }).toMatchObject({
        status: 200,
        written: 1,
      });
      expect([retried, repeated].map(({ text }) => text)).toEqual([
        lostResponse.text,
        lostResponse.text,
      ]);
      expect(
        [lostResponse, retried, repeated].map(({ headers }) => headers.get('idempotency-replayed')),
      ).toEqual([null, 'true', 'true']);
      expect(await entries()).toBe(written);
    },
  );

  it('The key stays bound to the request that wrote: another body answers 422', async () => {
    const create = (name: string) =>
      owner.manage('POST', '/teams', { name }, { 'idempotency-key': 'wrote' });
    await withLostResponse(() => create('Wrote'));
    expect((await create('Wrote too')).status).toBe(422);
  });
});
