import { memberOf } from '../../../access/scopes.ts';
import { watchAccess } from '../../../access/watch-access.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { auditLog } from '../../organizations/features.ts';
import { AuditCheckpoint } from './checkpoint.graphql.ts';
import {
  type ExportBatch,
  type ExportEnd,
  exportBatchMax,
  exportEntries,
} from './export-entries.ts';
import { SealedAuditEntry } from './sealed-entry.graphql.ts';

const AuditExportEnd = builder.objectRef<ExportEnd>('AuditExportEnd').implement({
  description: 'What the lines of an export are checked with.',
  fields: (t) => ({
    first: t.expose('first', {
      type: 'SafeInt',
      description: 'The position of the first entry.',
    }),
    entries: t.expose('entries', {
      type: 'SafeInt',
      description: 'How many entries the export has.',
    }),
    before: t.exposeStringList('before', {
      description:
        'The hashes of the complete subtrees before the first entry, from left to right, in hexadecimal digits.',
    }),
    after: t.exposeStringList('after', {
      description:
        'The hashes of the complete subtrees between the last entry and the end of the tree of the checkpoint.',
    }),
    checkpoint: t.expose('checkpoint', {
      type: AuditCheckpoint,
      description: 'The newest checkpoint when the export began.',
    }),
  }),
});

const AuditExportBatch = builder.objectRef<ExportBatch>('AuditExportBatch').implement({
  description: 'The next entries of an export.',
  fields: (t) => ({
    items: t.field({
      type: [SealedAuditEntry],
      description: 'Entries, in the order of their positions.',
      cost: { listSize: sizedByParent },
      resolve: ({ items }) => items,
    }),
    end: t.expose('end', {
      type: AuditExportEnd,
      nullable: true,
      description: 'The end of the export; null in all batches but the last one.',
    }),
  }),
});

builder.subscriptionField('auditExport', (t) =>
  t.field({
    type: AuditExportBatch,
    description: `All sealed entries of a period up to the newest checkpoint, oldest first, in batches of ${exportBatchMax}. At the edges there can be entries of some seconds before and after the period, so that positions have no gaps.`,
    args: {
      from: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The start of the period; inclusive.',
      }),
      until: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The end of the period; exclusive.',
      }),
    },
    cost: { listSize: { assumedSize: exportBatchMax, sizedFields: ['items'] } },
    authScopes: { manages: auditLog },
    subscribe: (_, period, context) => {
      const { organizationId } = memberOf(context.viewer);
      return batches();

      async function* batches() {
        const { signal, stop } = watchAccess(context, { manages: auditLog });
        try {
          yield* exportEntries({ ...period, organizationId, signal }, context);
        } finally {
          stop();
        }
      }
    },
    resolve: (batch) => batch,
  }),
);
