import { describe, expect, it } from 'vitest';
import { createFileReader } from '../../support/read-files.ts';

const files = await createFileReader();

const prefixes = ['office', 'text', 'table', 'draw', 'style', 'dc', 'svg', 'xlink', 'presentation'];
const flat = (kind: string, body: string, styles = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${prefixes.map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`).join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:meta><dc:title>A title</dc:title></office:meta>${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;
const image = `<draw:frame><draw:image><office:binary-data>${'iVBORw0KGgo'.repeat(100)}</office:binary-data></draw:image></draw:frame>`;

describe('OpenDocument files of one XML text', () => {
  it('A text has its headings and paragraphs, and no page headers, images or markup', async () => {
    const body = `<text:h text:outline-level="1">Fees</text:h><text:p>The fee is 12 &amp; 8 euros.${image}</text:p>`;
    const styles =
      '<office:master-styles><style:header><text:p>Confidential</text:p></style:header></office:master-styles>';
    expect(await files.text(flat('text', body, styles))).toMatchObject({
      mimeType: 'application/vnd.oasis.opendocument.text',
      text: 'Fees\n\nThe fee is 12 & 8 euros.',
    });
  });

  it('A spreadsheet has a row with the header of its columns, and hidden sheets are left out', async () => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const row = (...texts: string[]) =>
      `<table:table-row>${texts.map(cell).join('')}</table:table-row>`;
    const styles =
      '<office:automatic-styles><style:style style:name="hidden"><style:table-properties table:display="false"/></style:style></office:automatic-styles>';
    const sheets = `<table:table table:name="Allowances">${row('Country', 'Per day')}${row('Germany', '28.50')}</table:table><table:table table:name="Secret" table:style-name="hidden">${row('no')}</table:table>`;
    const { mimeType, text } = await files.text(flat('spreadsheet', sheets, styles));
    expect(mimeType).toBe('application/vnd.oasis.opendocument.spreadsheet');
    expect(text).toContain('Country: Germany');
    expect(text).toContain('Per day: 28.50');
    expect(text).not.toMatch(/Secret|<table/);
  });

  it('A presentation has its slides as pages', async () => {
    const slide = (text: string) => `<draw:page><text:p>${text}</text:p></draw:page>`;
    expect(
      await files.text(flat('presentation', slide('First slide') + slide('Second slide'))),
    ).toMatchObject({
      mimeType: 'application/vnd.oasis.opendocument.presentation',
      pages: 2,
      text: 'First slide\n\nSecond slide',
    });
  });

  it('A text that only mentions the element is plain text', async () => {
    expect((await files.text('See <office:document> in the manual.')).mimeType).toBe('text/plain');
  });
});

describe('Workbooks of Excel 2003 in one XML text', () => {
  const data = (value: string, type = 'String') => `<Data ss:Type="${type}">${value}</Data>`;
  const book = (sheets: string) =>
    `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"><Styles><Style ss:ID="s1"/></Styles>${sheets}</Workbook>`;

  it('Each sheet is a page with its name, and each row has the header of its columns', async () => {
    const rows = [
      `<Row><Cell>${data('Country')}</Cell><Cell>${data('Per day')}</Cell><Cell>${data('From')}</Cell></Row>`,
      `<Row><Cell>${data('Germany')}<Comment>${data('a comment')}</Comment></Cell><Cell ss:Index="3">${data('2026-01-01T00:00:00.000', 'DateTime')}</Cell></Row>`,
      `<Row><Cell>${data('Austria')}</Cell><Cell>${data('26.4', 'Number')}</Cell></Row>`,
    ];
    const sheet = `<Worksheet ss:Name="Allowances"><Table>${rows.join('')}</Table></Worksheet>`;
    const hidden = `<Worksheet ss:Name="Secret"><Table><Row><Cell>${data('no')}</Cell></Row></Table><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet>`;
    expect(await files.text(book(sheet + hidden))).toMatchObject({
      mimeType: 'application/vnd.ms-excel',
      pages: 1,
      text: [
        'Allowances',
        '',
        'Country | Per day | From',
        'Country: Germany | From: 2026-01-01',
        'Country: Austria | Per day: 26.4',
      ].join('\n'),
    });
  });
});
