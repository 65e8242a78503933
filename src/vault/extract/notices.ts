/** What of a document was not read, in the words that people see. */
export const noticeMessages = {
  PAGES_WITHOUT_TEXT: (count: number) =>
    count === 1
      ? 'One page has no text. If it is scanned, its words cannot be found.'
      : `${count} pages have no text. If they are scanned, their words cannot be found.`,
  SHEETS_HIDDEN: (count: number) =>
    `${count === 1 ? 'One hidden sheet was' : `${count} hidden sheets were`} not read.`,
  ATTACHMENTS_NOT_READ: (count: number) =>
    `${count === 1 ? 'One attachment' : `${count} attachments`} could not be read. Only the name can be found.`,
} satisfies Record<string, (count: number) => string>;

export type NoticeCode = keyof typeof noticeMessages;
export const noticeCodes: readonly NoticeCode[] = [
  'PAGES_WITHOUT_TEXT',
  'SHEETS_HIDDEN',
  'ATTACHMENTS_NOT_READ',
];

export type NoticeCount = { code: NoticeCode; count: number };
