import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLostResponse } from '../support/lost-response.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { calls } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { sendCall } from '../support/parity/send.ts';

let app: ParityApp;
beforeAll(async () => {
  app = await parityApp();
});
afterAll(() => app.close());

const entries = () => app.database.prisma.auditEntry.count();

const lostResponse = <T>(work: () => Promise<T>) => withLostResponse(app.database, work);

// A run has no entry in the audit log, and neither has its cancellation. Uploads are tested in
// upload-idempotency.test.ts.
const writes = calls.filter(
  ({ takesKey, operation }) =>
    takesKey && !['RunAssistant', 'CancelRun'].includes(operation.name) && !operation.takesFile,
);

/** What a person does with a private conversation is no business of those who read the audit log. */
const unrecorded = new Set(['CreateConversation', 'UpdateConversation']);

/** An error of one item of a bulk call has the id of the request that answers. */
const withoutRequestIds = (answer: object) =>
  JSON.stringify(answer).replaceAll(/(?<=requestId\\":\\")[^"\\]+/g, '');

describe('a crash between the commit and the response', () => {
  it.each(writes)('$name: the retry gets the lost response and writes nothing', async (call) => {
    const [sample] = samplesOf(call);
    if (!sample) throw new Error(`add a sample of ${call.name}`);
    const request = { app, call, ...(await sample.start(app)) };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => sendCall(request, headers);
    const before = await entries();
    const lost = await lostResponse(send);
    const written = await entries();
    const [retried, repeated] = [await send(), await send()];
    expect({ ...lost, written: written - before }).toMatchObject({
      status: 200,
      replayed: null,
      written: unrecorded.has(call.operation.name) ? 0 : 1,
    });
    expect(repeated).toEqual(retried);
    expect(withoutRequestIds(retried)).toEqual(withoutRequestIds({ ...lost, replayed: 'true' }));
    expect(await entries()).toBe(written);
  });

  it('The key stays bound to the request that wrote: another body answers 422', async () => {
    const owner = await app.fixtures.organization();
    const create = (name: string) =>
      owner.manage('POST', '/teams', { name }, { 'idempotency-key': 'wrote' });
    await lostResponse(() => create('Wrote'));
    expect((await create('Wrote too')).status).toBe(422);
  });
});
