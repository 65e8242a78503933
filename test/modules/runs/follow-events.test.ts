import { expect, it, vi } from 'vitest';
import { followEvents } from '../../../src/modules/runs/durable/follow-events.ts';
import { createRunNotices } from '../../../src/modules/runs/durable/run-notices.ts';

it('A reader of events that cannot be read ends, so that its access is not watched for ever', async () => {
  const ended = vi.fn();
  const events = followEvents(
    { id: 'run', person: { organizationId: 'o', userId: 'u', isAdmin: false }, after: 0 },
    {
      database: { sql: () => Promise.reject(new Error('The connection is lost')) },
      notices: createRunNotices(),
      signal: new AbortController().signal,
      ended,
    },
  );
  await expect(events.next()).rejects.toThrow('The connection is lost');
  expect(ended).toHaveBeenCalledOnce();
});
