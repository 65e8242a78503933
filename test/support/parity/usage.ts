import type { OrganizationFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const call = 'GET /api/usage/v1/usage';

/** A step of a run on the day on which the clock of the samples stands. */
const withUsage = (
  { id: organizationId, slug, member }: OrganizationFixture,
  { database, contextParts }: ParityApp,
) =>
  database.prisma.usageEntry.create({
    data: {
      ...{ runId: `run of ${slug}`, step: 1, organizationId, at: contextParts.clock() },
      ...{ assistantId: 'handbook', userId: member.id, keyId: 'key', model: 'large' },
      ...{ promptTokens: 1200, completionTokens: 85, cachedTokens: 1024 },
    },
  });

export const usageSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call,
      prepare: withUsage,
      input: () => ({ from: '2026-05-01', until: '2026-06-01' }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ from: '2026-05-01', until: '2026-05-01' }) }],
    },
  ],
);
