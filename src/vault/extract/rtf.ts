import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';
import { blockUnitsMax, type TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';
import { createTables } from './tables.ts';

/**
 * Reads the text of RTF: paragraphs, headings, table rows, footnotes and text boxes. Pictures, headers, hidden
 * and deleted text and the instructions of fields are skipped.
 */
export const readRtf = normalizeBlocks(async function* ({ path }) {
  yield* blocksOf(createReadStream(path, 'latin1'));
});

type Group = {
  isSkipped: boolean;
  isHidden: boolean;
  /** Footnotes and text boxes follow the paragraph that they are in. */
  isNote: boolean;
  /** The table of fonts is read for the code page of each. */
  isFontTable: boolean;
  font: number | undefined;
  /** How many characters follow one in Unicode for programs that know none. */
  replacements: number;
};

const depthMax = 1_000;
const skippedDestinations = new Set(
  'colortbl stylesheet info pict header headerl headerr headerf footer footerl footerr footerf fldinst objdata sp nonshppict listtext pntext bkmkstart bkmkend themedata datastore listtable listoverridetable rsidtbl xmlnstbl generator filetbl revtbl'.split(
    ' ',
  ),
);
/**
 * Groups with text that some programs mark with an asterisk, as if it could be left out: Pandoc
 * footnotes, AbiWord the texts of links, and all programs the text boxes.
 */
const readDestinations = new Set(['footnote', 'fldrslt', 'shpinst']);
const symbols: ReadonlyMap<string, string> = new Map([
  ...(['{', '}', '\\'] as const).map((name): [string, string] => [name, name]),
  ...Object.entries({
    ...{ '~': '\u00a0', _: '\u2011', tab: '\t', line: '\n', lbr: '\n', bullet: '•' },
    ...{ emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
    ...{ emspace: ' ', enspace: ' ', qmspace: ' ' },
  }),
]);
/** A note is one paragraph with line breaks, also if it has several or a table. */
const noteSymbols: ReadonlyMap<string, string> = new Map([
  ...(['par', 'row', '\r', '\n'] as const).map((name): [string, string] => [name, '\n']),
  ['cell', '\t'],
]);
/** The code page of a set of characters; 0 and 1 are that of the document. */
const pageOfCharset: ReadonlyMap<number, number> = new Map([
  ...([
    [77, 10_000],
    [128, 932],
    [129, 949],
    [134, 936],
    [136, 950],
    [161, 1253],
  ] as const),
  ...([
    [162, 1254],
    [163, 1258],
    [177, 1255],
    [178, 1256],
    [186, 1257],
    [204, 1251],
  ] as const),
  ...([
    [222, 874],
    [238, 1250],
    [254, 437],
    [255, 850],
  ] as const),
]);

async function* blocksOf(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  const reader = createReader();
  for await (const tokens of rtfTokens(pieces))
    for (const token of tokens) {
      reader.take(token);
      yield* reader.blocks.splice(0);
    }
  reader.end();
  yield* reader.blocks;
}

function createReader() {
  const blocks: TextBlock[] = [];
  const tables = createTables();
  const pages = new Map<number, number>();
  const groups: Group[] = [];
  let group: Group = {
    ...{ isSkipped: false, isHidden: false, isNote: false, isFontTable: false },
    ...{ font: undefined, replacements: 1 },
  };
  let documentPage = 1252;
  let bytes: number[] = [];
  let replacementsLeft = 0;
  let text = '';
  const notes: string[] = [];
  let note = '';
  let level: number | undefined;
  let isInTable = false;
  let isTableOpen = false;
  let isRowOpen = false;
  let isAfterStar = false;

  const isShown = () => !group.isSkipped && !group.isHidden && !group.isFontTable;

  function flushBytes(): void {
    if (bytes.length === 0) return;
    const page = (group.font === undefined ? undefined : pages.get(group.font)) ?? documentPage;
    const name = page === 10_000 ? 'macintosh' : `cp${page}`;
    const decoded = iconv.decode(Buffer.from(bytes), iconv.encodingExists(name) ? name : 'cp1252');
    bytes = [];
    write(decoded);
  }

  function write(written: string): void {
    if (!isShown()) return;
    if (group.isNote) note += written;
    else text += written;
    // A file without paragraphs is not collected in memory.
    if (text.length > blockUnitsMax * 4) endParagraph();
  }

  function endParagraph(): void {
    if (isInTable) {
      openRow();
      tables.take(text);
      text = '';
      return;
    }
    const written = text.trim();
    text = '';
    if (written !== '') {
      if (isTableOpen) tables.close();
      isTableOpen = false;
      blocks.push(
        level === undefined
          ? { kind: 'paragraph', text: written }
          : { kind: 'heading', level, text: written },
      );
    }
    addNotes();
  }

  const addNotes = () => {
    for (const each of notes.splice(0)) blocks.push({ kind: 'paragraph', text: each });
  };

  function openRow(): void {
    if (!isTableOpen) tables.open();
    isTableOpen = true;
    if (isRowOpen) return;
    isRowOpen = true;
    tables.openRow();
    tables.openCell();
  }

  function endCell(): void {
    openRow();
    tables.take(text);
    text = '';
    tables.closeCell();
    tables.openCell();
  }

  function endRow(): void {
    if (!isRowOpen) return;
    isRowOpen = false;
    const row = tables.closeRow();
    if (row) blocks.push(row);
    addNotes();
  }

  function takeWord(name: string, value: number | undefined): void {
    const isOn = value !== 0;
    if (isAfterStar) {
      // The asterisk marks groups that a program may ignore, such as settings and picture data.
      isAfterStar = false;
      if (!readDestinations.has(name)) {
        group.isSkipped = true;
        return;
      }
    }
    if (name === '*') isAfterStar = true;
    else if (skippedDestinations.has(name)) group.isSkipped = true;
    else if (name === 'fonttbl') group.isFontTable = true;
    else if (name === 'footnote' || name === 'shptxt') group.isNote = true;
    else if (name === 'ansicpg') documentPage = value ?? documentPage;
    else if (name === 'mac') documentPage = 10_000;
    else if (name === 'pc') documentPage = 437;
    else if (name === 'pca') documentPage = 850;
    else if (name === 'f') group.font = value;
    else if (name === 'fcharset' && group.isFontTable && group.font !== undefined) {
      const page = pageOfCharset.get(value ?? 0);
      if (page !== undefined) pages.set(group.font, page);
    } else if (name === 'uc') group.replacements = Math.min(Math.max(value ?? 1, 0), 8);
    else if (name === 'u' && value !== undefined) {
      write(String.fromCharCode(value & 0xffff));
      replacementsLeft = group.replacements;
    } else if (name === 'v' || name === 'deleted') group.isHidden = isOn;
    else if (name === 'plain') group.isHidden = false;
    else if (!isShown()) return;
    else if (group.isNote) note += noteSymbols.get(name) ?? symbols.get(name) ?? '';
    else if (name === 'pard') {
      isInTable = false;
      level = undefined;
    } else if (name === 'intbl') isInTable = true;
    else if (name === 'outlinelevel')
      level = value === undefined || value > 8 ? undefined : Math.min(value + 1, 6);
    else if (name === 'par' || name === 'sect' || name === 'page' || name === '\r' || name === '\n')
      endParagraph();
    else if (name === 'cell' || name === 'nestcell') endCell();
    else if (name === 'row') endRow();
    else write(symbols.get(name) ?? '');
  }

  return {
    blocks,
    take(token: RtfToken): void {
      if (token.type === 'byte') {
        if (replacementsLeft > 0) replacementsLeft -= 1;
        else if (bytes.length < blockUnitsMax) bytes.push(token.byte);
        return;
      }
      flushBytes();
      if (token.type === 'text') {
        const skipped = Math.min(replacementsLeft, token.text.length);
        replacementsLeft -= skipped;
        // Some programs write bytes of the code page as they are.
        if (/[\x80-\xff]/.test(token.text)) {
          bytes = [...Buffer.from(token.text.slice(skipped), 'latin1')];
          flushBytes();
        } else write(token.text.slice(skipped));
        return;
      }
      replacementsLeft = 0;
      if (token.type === 'word') {
        takeWord(token.name, token.value);
        return;
      }
      isAfterStar = false;
      if (token.type === 'open') {
        if (groups.length >= depthMax) throw new ExtractError('TOO_COMPLEX');
        groups.push(group);
        group = { ...group };
        return;
      }
      const outer = groups.pop();
      if (!outer) return;
      if (group.isNote && !outer.isNote && note.trim() !== '') {
        notes.push(note.trim());
        note = '';
      }
      group = outer;
    },
    end(): void {
      flushBytes();
      endRow();
      isInTable = false;
      endParagraph();
    },
  };
}
