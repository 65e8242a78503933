import { settleEvents } from '../settle-events.ts';
import { samplesOn } from './samples.ts';

export const eventSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call: 'GET /api/events/v1/events',
      prepare: (_, { database }) => settleEvents(database),
      input: () => ({ types: 'campaign.created,link.created,redemption.completed', limit: 10 }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ after: 'of-another-list' }) }],
    },
  ],
);
