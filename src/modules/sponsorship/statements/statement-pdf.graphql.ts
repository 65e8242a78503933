import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { Download } from '../../../graph/schema/download.ts';
import { createKeyedMutex } from '../../../platform/keyed-mutex.ts';
import { sponsorship } from '../../organizations/features.ts';
import { detailRowsMax } from './read-statement-details.ts';
import { monthArg } from './statement.graphql.ts';
import type { StatementLanguage as Language } from './statement-pdf-texts.ts';
import { writeStatementPdf } from './write-statement-pdf.ts';

const StatementLanguage = builder.enumType('SponsorshipStatementLanguage', {
  description: 'The language of a statement as a PDF.',
  values: {
    EN: { description: 'English.' },
    DE: { description: 'German.' },
  } satisfies Record<Language, object>,
});

// A file takes about a second of the processor, so an organization gets one after the other.
const exclusively = createKeyedMutex();

builder.queryField('sponsorshipStatementPdf', (t) =>
  t.field({
    type: 'Download',
    description: `The statement of a month as a PDF, with at most ${detailRowsMax.campaigns} campaigns, ${detailRowsMax.batches} billing batches and ${detailRowsMax.entries} entries.`,
    args: {
      month: t.arg(monthArg),
      language: t.arg({
        type: StatementLanguage,
        defaultValue: 'EN',
        description: 'The language of the file.',
      }),
    },
    // The file is made when the field is read.
    cost: { weight: 100 },
    authScopes: { manages: sponsorship },
    resolve: async (_, { month, language }, { viewer, ...dependencies }) => {
      const member = memberOf(viewer);
      const { organizationId } = member;
      const { name, bytes } = await exclusively(organizationId, () =>
        writeStatementPdf({ organizationId, month, language }, dependencies),
      );
      // REST writes the language in lower case.
      const tag = language.toLowerCase();
      return new Download({
        address:
          member.kind === 'SESSION'
            ? `/files/statements/${month}?language=${tag}&organization=${organizationId}`
            : `/api/sponsorship/v1/statements/${month}/pdf?language=${tag}`,
        name,
        mimeType: 'application/pdf',
        bytes: bytes.length,
        tag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
        open: async (range) =>
          Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
      });
    },
  }),
);
