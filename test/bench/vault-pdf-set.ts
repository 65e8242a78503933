import { pdfFile } from '../support/pdf-file.ts';

/** A PDF whose text is known. */
export type LaidOutPdf = {
  file: Buffer;
  /** In reading order; `start` are words that no other sentence has. */
  sentences: { text: string; start: string; page: number }[];
  dividedWords: string[];
  words: string[];
  /** Running heads and feet; `form` is null for a page number alone. */
  heads: { text: string; page: number; form: string | null }[];
};

type Line = { text: string; at: [x: number, y: number]; size?: number };

const lineHeight = 13.2;

/** Breaks a text into lines of this many characters. Words with a soft hyphen are divided there. */
function linesOf(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const [head = '', tail] = word.split('\u00ad');
    const plain = head + (tail ?? '');
    const space = line === '' ? '' : ' ';
    if (line.length + space.length + plain.length <= width) line += space + plain;
    else if (tail !== undefined && line.length + space.length + head.length < width) {
      lines.push(`${line}${space}${head}-`);
      line = tail;
    } else {
      lines.push(line);
      line = plain;
    }
  }
  return [...lines, line].filter((one) => one !== '');
}

const column = (lines: readonly string[], x: number, top: number): Line[] =>
  lines.map((text, index) => ({ text, at: [x, top - index * lineHeight] }));

const topics = ['returns', 'repairs', 'deposits', 'deliveries', 'invoices', 'vouchers'];
const paragraphOf = (number: number): string =>
  `Rule ${number} about ${topics[number % topics.length]} applies to all cus\u00adtomers whose ` +
  `con\u00adtract began before the first of January, and the com\u00admittee decides about ex\u00adceptions ` +
  `within fourteen days of case ${number}.`;
const withoutSoftHyphens = (text: string): string => text.replaceAll('\u00ad', '');
const sentenceOf = (number: number, page: number) => ({
  text: withoutSoftHyphens(paragraphOf(number)),
  start: `Rule ${number} about`,
  page,
});

/** The words that the lines divide. */
function dividedIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const head = /(\p{L}+)-$/u.exec(line)?.[1];
    const tail = /^\p{L}+/u.exec(lines[index + 1] ?? '')?.[0];
    return head === undefined || tail === undefined ? [] : [head + tail];
  });
}

/** Pages of paragraphs, each of another width, with a running head and a foot, as in a handbook. */
function handbook(): LaidOutPdf {
  const pages = Array.from({ length: 12 }, (_, index) => index + 1);
  const numbersOn = (page: number) => [1, 2, 3, 4, 5].map((nth) => page * 10 + nth);
  const linesOn = (page: number) =>
    numbersOn(page).map((number) => linesOf(paragraphOf(number), 76 + (number % 9)));
  const content = pages.map((page): Line[] => [
    { text: 'Handbook of Nordwind GmbH', at: [50, 812], size: 9 },
    ...linesOn(page).flatMap((lines, nth) => column(lines, 50, 760 - nth * 80)),
    { text: `Page ${page} of 12`, at: [270, 30], size: 9 },
  ]);
  return {
    file: pdfFile(content),
    sentences: pages.flatMap((page) => numbersOn(page).map((number) => sentenceOf(number, page))),
    dividedWords: pages.flatMap((page) => linesOn(page).flatMap(dividedIn)),
    words: [],
    heads: pages.flatMap((page) => [
      { text: 'Handbook of Nordwind GmbH', page, form: 'head' },
      { text: `Page ${page} of 12`, page, form: null },
    ]),
  };
}

/** Pages with two columns, as in an article. */
function article(): LaidOutPdf {
  const pages = [1, 2, 3];
  const numbersOn = (page: number, side: number) =>
    [1, 2, 3].map((nth) => 1_000 + page * 100 + side * 10 + nth);
  const linesOn = (page: number, side: number) =>
    numbersOn(page, side).map((number) => linesOf(paragraphOf(number), 36 + (number % 9)));
  const sides = [0, 1];
  const content = pages.map((page): Line[] =>
    sides.flatMap((side) =>
      linesOn(page, side).flatMap((lines, nth) => column(lines, 50 + side * 260, 780 - nth * 130)),
    ),
  );
  return {
    file: pdfFile(content),
    sentences: pages.flatMap((page) =>
      sides.flatMap((side) => numbersOn(page, side).map((number) => sentenceOf(number, page))),
    ),
    dividedWords: pages.flatMap((page) =>
      sides.flatMap((side) => linesOn(page, side).flatMap(dividedIn)),
    ),
    words: [],
    heads: [],
  };
}

/** Accents before their letters, as TeX draws them, and ligatures. */
function thesis(): LaidOutPdf {
  const words = ['Übung', 'Größe', 'möglich', 'Gerät', 'häufig', 'Prüfung'];
  const detached: Record<string, string> = {
    ...{ Ü: '¨U', ö: '¨o', ä: '¨a', ü: '¨u' },
  };
  const draw = (text: string) => text.replaceAll(/[Üöäü]/g, (letter) => detached[letter] ?? letter);
  const lines = words.map(
    (word, index) => `${draw(word)} ist der ${index + 1}. Beﬁnd, kein Konﬂikt.`,
  );
  return {
    file: pdfFile([column(lines, 50, 780)]),
    sentences: [],
    dividedWords: [],
    words: [...words, 'Befind', 'Konflikt'],
    heads: [],
  };
}

export const laidOutPdfs = (): LaidOutPdf[] => [handbook(), article(), thesis()];
