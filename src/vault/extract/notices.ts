/** What of a document was not read, or not exactly, in the words that people see. */
export const noticeMessages = {
  PAGES_WITHOUT_TEXT: (count: number) =>
    count === 1
      ? 'One page has no text. If it is scanned, its words cannot be found.'
      : `${count} pages have no text. If they are scanned, their words cannot be found.`,
  PAGES_RECOGNIZED: (count: number) =>
    `The text of ${count === 1 ? 'one page or image' : `${count} pages or images`} was recognized. It can contain errors.`,
  PAGES_NOT_RECOGNIZED: (count: number) =>
    `${count === 1 ? 'One page or image was' : `${count} pages or images were`} not recognized, because of a limit or a format that cannot be decoded. Words in them cannot be found.`,
  SHEETS_HIDDEN: (count: number) =>
    `${count === 1 ? 'One hidden sheet was' : `${count} hidden sheets were`} not read.`,
  FORMULAS_WITHOUT_RESULT: (count: number) =>
    `${count === 1 ? 'One formula has no stored result, so its value' : `${count} formulas have no stored result, so their values`} cannot be found. Open the file in a spreadsheet program, save it, and upload it again.`,
  ATTACHMENTS_NOT_READ: (count: number) =>
    `${count === 1 ? 'One attachment' : `${count} attachments`} could not be read. Only the name can be found.`,
} satisfies Record<string, (count: number) => string>;

export type NoticeCode = keyof typeof noticeMessages;
export const noticeCodes: readonly NoticeCode[] = [
  'PAGES_WITHOUT_TEXT',
  'PAGES_RECOGNIZED',
  'PAGES_NOT_RECOGNIZED',
  'SHEETS_HIDDEN',
  'FORMULAS_WITHOUT_RESULT',
  'ATTACHMENTS_NOT_READ',
];

export type NoticeCount = { code: NoticeCode; count: number };
