/**
 * The reasons why a document cannot be read: a code for programs, and a message for the person who
 * sent the file.
 */
export const extractFaults = {
  EMPTY: 'The file holds no text',
  ENCRYPTED: 'The file is protected by a password; remove the protection and send it again',
  DAMAGED: 'The file is damaged or incomplete and cannot be read',
  UNSUPPORTED:
    'This kind of file cannot be read; PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), OpenDocument, RTF, EPUB, HTML, Markdown, CSV, JSON, plain text, e-mail, and images (PNG, JPEG, WebP, TIFF) can',
  TOO_COMPLEX: 'The file unpacks to more than can be read; split it into smaller ones',
  TOO_LARGE_TEXT:
    'The file says far more text than its size can account for, because it repeats itself (long column names, one text used many times), or it has more text than the vault takes; remove the repetitions or split it into smaller files',
  TOO_MANY_PASSAGES:
    'The file has more pages or sections than its size can account for, or than the vault takes for one document; split it into smaller files',
  QUOTA_EXCEEDED: 'The file has more passages than its sender may add',
  TOO_SLOW: 'Reading the file took too long; split it into smaller ones',
  OUT_OF_MEMORY: 'Reading the file needs more memory than is allowed; split it into smaller ones',
} as const;

export type ExtractFault = keyof typeof extractFaults;

export class ExtractError extends Error {
  readonly code: ExtractFault;

  constructor(code: ExtractFault) {
    super(extractFaults[code]);
    this.name = 'ExtractError';
    this.code = code;
  }
}
