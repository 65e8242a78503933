import type { ParityApp, RunFixture } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const runs = '/api/assistants/v1/runs';

const unknownRun = { code: 'NOT_FOUND' as const, input: () => ({ runId: 'unknown' }) };

const queued = ({ runId }: RunFixture, { database }: ParityApp) =>
  database.prisma.run.update({
    where: { id: runId },
    data: { state: 'QUEUED', startedAt: null, endedAt: null, contentUntil: null },
  });

const withoutReceipt = async ({ runId }: RunFixture, { database }: ParityApp) => {
  await database.prisma.runReceipt.delete({ where: { runId } });
  await database.prisma.run.update({ where: { id: runId }, data: { state: 'FAILED' } });
};
/** Nobody executes the run. */
const plain = async ({ runId }: RunFixture, { database }: ParityApp) => {
  const data = { state: 'RUNNING' as const, isDurable: false, endedAt: null };
  await database.prisma.run.update({ where: { id: runId }, data });
};

export const runSamples = samplesOn(
  ({ run }) => run(),
  [
    {
      call: `GET ${runs}/`,
      input: () => ({}),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ page: 0 }) }],
    },
    {
      call: `GET ${runs}/:runId`,
      input: ({ runId }) => ({ runId }),
      refusals: [unknownRun, { code: 'BAD_INPUT', input: ({ runId }) => ({ runId, wait: 26 }) }],
    },
    {
      call: `GET ${runs}/:runId/receipt`,
      input: ({ runId }) => ({ runId }),
      refusals: [
        unknownRun,
        { code: 'CONFLICT', prepare: withoutReceipt, input: ({ runId }) => ({ runId }) },
      ],
    },
    {
      call: `GET ${runs}/:runId/events`,
      input: ({ runId }) => ({ runId, lastEventId: 1 }),
      refusals: [unknownRun],
    },
    {
      call: `POST ${runs}/:runId/cancel`,
      prepare: queued,
      input: ({ runId }) => ({ runId }),
      refusals: [unknownRun, { code: 'CONFLICT', prepare: plain }],
    },
    {
      call: `DELETE ${runs}/:runId`,
      input: ({ runId }) => ({ runId }),
      refusals: [unknownRun, { code: 'CONFLICT', prepare: plain }],
    },
  ],
);
