import { sealEntries } from '../../../src/modules/audit/sealing/seal-entries.ts';
import { settleEvents } from '../settle-events.ts';
import type { OrganizationFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const path = '/api/audit/v1';
const period = { from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
const entryIdOf = ({ slug }: OrganizationFixture) => `entry-${slug}`;

async function withEntry(fixture: OrganizationFixture, { database, contextParts }: ParityApp) {
  const { id: organizationId, names } = fixture;
  const id = entryIdOf(fixture);
  await database.prisma.auditEntry.create({
    data: {
      ...{ id, organizationId, at: contextParts.clock(), actorKind: 'SYSTEM' },
      ...{ action: 'end-redemption', targetType: 'Redemption', targetId: 'redemption' },
      changes: { due: '2026-05-01T00:00:00.000Z' },
    },
  });
  Object.assign(names, { [id]: 'entry' });
}

/** An organization with one entry in its log, which is sealed. */
async function withSealedEntry(fixture: OrganizationFixture, app: ParityApp) {
  const { database, contextParts } = app;
  await withEntry(fixture, app);
  await settleEvents(database);
  const dependencies = { ...contextParts, database, signingKeys: contextParts.receiptKeys };
  while (await sealEntries(fixture.id, dependencies));
}

export const auditSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call: `GET ${path}/entries`,
      prepare: withSealedEntry,
      input: () => ({ limit: 10, ...period }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ after: 'of-another-list' }) }],
    },
    {
      call: `GET ${path}/entries/:entryId/proof`,
      prepare: withSealedEntry,
      input: (fixture) => ({ entryId: entryIdOf(fixture) }),
      refusals: [
        { code: 'NOT_FOUND', input: () => ({ entryId: 'unknown' }) },
        { code: 'CONFLICT', prepare: withEntry },
      ],
    },
    {
      call: `GET ${path}/checkpoints`,
      prepare: withSealedEntry,
      input: () => ({ limit: 10 }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ after: 'of-another-list' }) }],
    },
    {
      call: `GET ${path}/checkpoints/latest`,
      prepare: withSealedEntry,
      input: () => ({}),
      refusals: [{ code: 'NOT_FOUND', prepare: withEntry }],
    },
  ],
);
