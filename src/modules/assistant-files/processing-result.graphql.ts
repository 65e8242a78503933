import { builder } from '../../graph/schema/builder.ts';
import type { ExtractFault, IngestedDocument, NoticeCode } from '../../vault/client.ts';

type FileDerivationName = Uppercase<IngestedDocument['derivations'][number]>;
type ProcessingErrorCodeName = ExtractFault | 'ORIGINAL_LOST' | 'PROCESSING_FAILED';

const derivationValues: Record<FileDerivationName, { description: string }> = {
  TEXT: { description: 'What the file says, without its layout.' },
  MARKDOWN: { description: 'The text with headings, lists and tables as Markdown.' },
  CHUNKS: { description: 'The passages into which the text is divided.' },
  EMBEDDINGS: { description: 'A vector for each passage.' },
};

export const FileDerivation = builder.enumType('FileDerivation', {
  description: 'Something that is made of a file while it is processed.',
  values: derivationValues,
});

const codeValues: Record<ProcessingErrorCodeName, { description: string }> = {
  EMPTY: { description: 'The file has no text.' },
  ENCRYPTED: { description: 'The file is protected by a password.' },
  DAMAGED: { description: 'The file is damaged or incomplete.' },
  UNSUPPORTED: { description: 'Files of this kind cannot be read.' },
  TOO_COMPLEX: { description: 'The file unpacks to more than can be read.' },
  TOO_LARGE_TEXT: { description: 'The file has more text than is taken.' },
  TOO_MANY_PASSAGES: { description: 'The file has more pages or sections than are taken.' },
  QUOTA_EXCEEDED: {
    description: 'The file has more passages than are left of the quota of the organization.',
  },
  TOO_SLOW: { description: 'Reading the file took too long.' },
  OUT_OF_MEMORY: { description: 'Reading the file needs more memory than is allowed.' },
  ORIGINAL_LOST: { description: 'The stored file is gone; it must be uploaded again.' },
  PROCESSING_FAILED: { description: 'The file could not be processed for another reason.' },
};

const ProcessingErrorCode = builder.enumType('ProcessingErrorCode', {
  description: 'Why a file could not be processed. New versions can add values.',
  values: codeValues,
});

export const ProcessingError = builder
  .objectRef<{ code: string; message: string }>('ProcessingError')
  .implement({
    description: 'Why a file could not be processed.',
    fields: (t) => ({
      code: t.field({
        type: ProcessingErrorCode,
        description: 'The cause for programs, such as ENCRYPTED.',
        resolve: ({ code }) => (isKnownCode(code) ? code : 'PROCESSING_FAILED'),
      }),
      message: t.exposeString('message', {
        description: 'A sentence for people that says what is wrong with the file.',
      }),
    }),
  });

/** A vault of another version can have codes that this one does not know. */
const isKnownCode = (code: string): code is ProcessingErrorCodeName =>
  Object.hasOwn(codeValues, code);

/** The values of `FileDerivation` for the names that the vault uses. */
export const toFileDerivations = (names: readonly string[]): FileDerivationName[] =>
  names.map((name) => name.toUpperCase()).filter(isDerivation);

const isDerivation = (name: string): name is FileDerivationName =>
  Object.hasOwn(derivationValues, name);

const noticeValues: Record<NoticeCode, { description: string }> = {
  PAGES_WITHOUT_TEXT: { description: 'Pages have no text, for example because they are scanned.' },
  PAGES_RECOGNIZED: {
    description: 'The text of pages or images was recognized, and can contain errors.',
  },
  PAGES_NOT_RECOGNIZED: {
    description: 'Pages or images were not recognized because of a limit or their format.',
  },
  SHEETS_HIDDEN: { description: 'Hidden sheets of a workbook were left out.' },
  FORMULAS_WITHOUT_RESULT: {
    description: 'Formulas of a workbook have no stored result, so their values are missing.',
  },
  ATTACHMENTS_NOT_READ: { description: 'Attachments of a mail are of kinds that cannot be read.' },
};

const FileNoticeCode = builder.enumType('FileNoticeCode', {
  description: 'What of a file was not read. New versions can add values.',
  values: noticeValues,
});

type Notice = { code: NoticeCode; message: string };

export const FileNotice = builder.objectRef<Notice>('FileNotice').implement({
  description: 'Something of a file that was not read, although the file is COMPLETED.',
  fields: (t) => ({
    code: t.expose('code', {
      type: FileNoticeCode,
      description: 'The cause for programs, such as PAGES_WITHOUT_TEXT.',
    }),
    message: t.exposeString('message', {
      description: 'A sentence for people that says what cannot be found.',
    }),
  }),
});

/** The notices whose codes this version knows; a vault of another version can have others. */
export const toFileNotices = (notices: readonly { code: string; message: string }[]): Notice[] =>
  notices.filter((notice): notice is Notice => Object.hasOwn(noticeValues, notice.code));
