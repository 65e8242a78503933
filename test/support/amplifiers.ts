import { deflateSync } from 'node:zlib';
import { docxOf, odtFile, officeFile, pptxFile, xlsxFile } from './office-files.ts';

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join('');
const words = (units: number) => 'word '.repeat(Math.ceil(units / 5)).slice(0, units);

const shared = (strings: readonly string[]) => strings.map((text) => `<t>${text}</t>`);
const row = (cells: readonly number[]) =>
  `<row>${cells.map((index) => `<c t="s"><v>${index}</v></c>`).join('')}</row>`;

/** A workbook whose sheets are all the same part. */
function sameSheet(count: number): Uint8Array {
  const relation: [string, string] = ['worksheet', 'worksheets/sheet1.xml'];
  const ids = Array.from({ length: count }, (_, index) => `r${index}`);
  return officeFile(
    {
      'xl/workbook.xml': `<workbook xmlns="x" xmlns:r="o"><sheets>${ids.map((id) => `<sheet name="S" r:id="${id}"/>`).join('')}</sheets></workbook>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="x"><sheetData><row><c t="str"><v>${words(5_000)}</v></c></row></sheetData></worksheet>`,
    },
    {
      '': { main: ['officeDocument', 'xl/workbook.xml'] },
      'xl/workbook.xml': Object.fromEntries(ids.map((id) => [id, relation])),
    },
  );
}

function sameSlide(count: number): Uint8Array {
  const slide = `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><a:p><a:r><a:t>${words(5_000)}</a:t></a:r></a:p></p:sp></p:sld>`;
  return officeFile(
    {
      'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="o"><p:sldIdLst>${repeat(count, () => '<p:sldId r:id="r"/>')}</p:sldIdLst></p:presentation>`,
      'ppt/slides/slide1.xml': slide,
    },
    {
      '': { main: ['officeDocument', 'ppt/presentation.xml'] },
      'ppt/presentation.xml': { r: ['slide', 'slides/slide1.xml'] },
    },
  );
}

/** A PDF whose pages all show the same stream. */
function samePages(count: number, text: string): Uint8Array {
  const lines = text.match(/.{1,100}/g) ?? [];
  const stream = deflateSync(
    `BT /F 9 Tf 9 TL 20 820 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`,
  );
  const first = 5;
  const kids = repeat(count, (index) => `${first + index} 0 R `);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kids}]/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R>>>>>>`,
    `<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: count }, () => '<</Type/Page/Parent 2 0 R/Contents 3 0 R>>'),
  ];
  return Buffer.from(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer <</Root 1 0 R>>`,
    'latin1',
  );
}

function message(parts: readonly Uint8Array[]): Uint8Array {
  const attachment = (content: Uint8Array) =>
    `--B\nContent-Disposition: attachment; filename="a.xlsx"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(
      content,
    )
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\n')}\n`;
  return Buffer.from(
    `From: a@example.com\nSubject: Files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n${parts.map(attachment).join('')}--B--\n`,
  );
}

const longColumns = () =>
  xlsxFile(
    [
      {
        name: 'S',
        rows:
          row(Array.from({ length: 20 }, (_, index) => index)) +
          repeat(80, () => row(Array(20).fill(20))),
      },
    ],
    {
      strings: shared([
        ...Array.from({ length: 20 }, (_, index) => `${index} ${words(30_000)}`),
        'x',
      ]),
    },
  );

const text = (content: string) => Buffer.from(content);

/** Small files that expand to a large text or to many passages, in every way that we know. */
export const amplifiers: readonly { name: string; create: () => Uint8Array }[] = [
  { name: 'XLSX with long column names', create: longColumns },
  {
    name: 'XLSX with many columns and rows of one letter',
    create: () =>
      xlsxFile(
        [
          {
            name: 'S',
            rows:
              row(Array.from({ length: 200 }, (_, index) => index)) +
              repeat(3_000, () => row(Array(200).fill(200))),
          },
        ],
        {
          strings: shared([
            ...Array.from({ length: 200 }, (_, index) => `${index} ${words(90)}`),
            'x',
          ]),
        },
      ),
  },
  {
    name: 'XLSX that names one long text in 50,000 rows',
    create: () =>
      xlsxFile([{ name: 'S', rows: repeat(50_000, () => row([0])) }], {
        strings: shared([words(30_000)]),
      }),
  },
  {
    name: 'XLSX that names one long text in 50,000 cells of a row',
    create: () =>
      xlsxFile([{ name: 'S', rows: row(Array(50_000).fill(0)) }], {
        strings: shared([words(1_000_000)]),
      }),
  },
  { name: 'XLSX that names one sheet 20,000 times', create: () => sameSheet(20_000) },
  { name: 'PPTX that names one slide 20,000 times', create: () => sameSlide(20_000) },
  {
    name: 'PPTX with a table of long cells',
    create: () =>
      pptxFile([{ rows: Array.from({ length: 2_000 }, () => Array(20).fill(words(100))) }]),
  },
  {
    name: 'ODT with repeated cells, rows and blanks',
    create: () =>
      odtFile(
        `<table:table>${repeat(100, () => `<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>word<text:s text:c="1000000"/>word</text:p></table:table-cell></table:table-row>`)}</table:table>`,
      ),
  },
  {
    name: 'DOCX with tables in tables',
    create: () =>
      docxOf(
        `${'<w:tbl><w:tr><w:tc>'.repeat(300)}<w:p><w:r><w:t>${words(2_000_000)}</w:t></w:r></w:p>${'</w:tc></w:tr></w:tbl>'.repeat(300)}`,
      ),
  },
  {
    name: 'CSV with long column names',
    create: () => text(`${words(30_000)},b\n${'x,y\n'.repeat(20_000)}`),
  },
  {
    name: 'CSV with 10,000 columns',
    create: () =>
      text(
        `${repeat(10_000, (index) => `column ${index} ${'name '.repeat(15)},`)}z\n${`${'1,'.repeat(10_000)}1\n`.repeat(40)}`,
      ),
  },
  {
    name: 'HTML with long column names and wide cells',
    create: () =>
      text(
        `<html><body><table><tr><th>${words(50_000)}</th><th>b</th></tr>${'<tr><td colspan="1000" rowspan="1000">x</td><td>y</td></tr>'.repeat(3_000)}</table></body></html>`,
      ),
  },
  {
    name: 'Markdown with long column names',
    create: () =>
      text(`# T\n\n| ${words(15_000)} | b |\n| --- | --- |\n${'|x|y|\n'.repeat(20_000)}`),
  },
  {
    name: 'Markdown with six long headings over each word',
    create: () =>
      text(
        `${repeat(6, (level) => `${'#'.repeat(level + 1)} ${words(200)}\n\n`)}${repeat(2_000, () => `${words(220)}\n\n###### h\n\n`)}`,
      ),
  },
  {
    name: 'JSON with a long name over each digit',
    create: () => text(`{"${words(290).trim()}":[${'1,'.repeat(50_000)}1]}`),
  },
  { name: 'PDF with 500 pages of one stream', create: () => samePages(500, words(9_000)) },
  { name: 'PDF with 2,000 pages of one letter', create: () => samePages(2_000, 'x') },
  {
    name: 'E-mail with 30 workbooks of long column names',
    create: () => message(Array(30).fill(longColumns())),
  },
  {
    name: 'E-mail in e-mail with workbooks',
    create: () =>
      message([message(Array(10).fill(longColumns())), message(Array(10).fill(longColumns()))]),
  },
];
