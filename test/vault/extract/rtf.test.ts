import { describe, expect, it } from 'vitest';
import { readRtf } from '../../../src/vault/extract/rtf.ts';
import { joined, readBlocks } from '../../support/read-blocks.ts';

const head = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204 Arial Cyr;}{\f2\fnil\fcharset128 MS Gothic;}}{\colortbl;\red0\green0\blue0;}{\*\generator Word}{\info{\title Not the text}}`;
const read = (body: string) => readBlocks(readRtf, Buffer.from(`${head}${body}}`, 'latin1'));
const textOf = async (body: string) => joined(await read(body));

describe('readRtf', () => {
  it('Paragraphs and headings are read, and tables of fonts, pictures, headers and fields are not', async () => {
    const blocks = await read(
      String.raw`{\header Page header\par}\pard\outlinelevel0 Allowances\par\pard The allowance is {\b 28} euro,\line a day.\par{\pict\pngblip 89504e470d0a}{\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt a link}}\par`,
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Allowances' },
      { kind: 'paragraph', text: 'The allowance is 28 euro,\na day.' },
      { kind: 'paragraph', text: 'a link' },
    ]);
  });

  it.each([
    ['bytes of the code page', String.raw`Gr\'f6\'dfe \'80`, 'Größe €'],
    [
      'bytes of the code page of a font',
      String.raw`{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} ok`,
      'Привет ok',
    ],
    ['two bytes for one character', String.raw`{\f2 \'93\'fa\'96\'7b}`, '日本'],
    ['Unicode with a replacement', String.raw`\uc1\u1055?\u1088\'3f!`, 'Пр!'],
    [
      'Unicode with two replacements, and with none',
      String.raw`{\uc2\u26085\'93\'fa}{\uc0\u26412 x}`,
      '日本x',
    ],
    ['a pair of surrogates', String.raw`\u-10179?\u-8704?`, '😀'],
    ['symbols', String.raw`\ldblquote a\rdblquote\endash\bullet\{\}\\`, '“a”–•{}\\'],
    ['bytes as they are', 'Gr\u00f6\u00dfe', 'Größe'],
    ['an optional hyphen and a fixed space', String.raw`al\-low\~ance`, 'allow\u00a0ance'],
  ])('Letters are read: %s', async (_, body, expected) => {
    expect(await textOf(`${body}\\par`)).toBe(expected);
  });

  it('Rows of a table are rows, and what follows is a paragraph', async () => {
    const row = (...cells: string[]) =>
      String.raw`\trowd\cellx1000\cellx2000\pard\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\row `;
    const blocks = await read(
      `Before\\par${row('Country', 'Euro')}${row('Germany', String.raw`28\par a day`)}\\pard After\\par`,
    );
    expect(joined(blocks)).toBe('Before\n\nCountry | Euro\nGermany | 28 a day\n\nAfter');
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'row', 'row', 'paragraph']);
  });

  it('Footnotes follow their paragraph, and hidden and deleted text is left out', async () => {
    expect(
      await textOf(
        String.raw`One{\footnote \chftn  The note.} two{\v hidden}{\deleted gone}\plain  three\par Next\par`,
      ),
    ).toBe('One two three\n\nThe note.\n\nNext');
  });

  it('Text in groups that a program may ignore is read: footnotes of Pandoc, links of AbiWord, text boxes of Word', async () => {
    expect(
      await textOf(
        String.raw`Notice{\super\chftn}{\*\footnote\chftn\~\plain\pard {\pard \ql Three months.\par}}, see {\field{\*\fldinst {\f0 HYPERLINK "https://example.org"}}{\*\fldrslt{\f0{\*\listtag0}the contract}}}.\par`,
      ),
    ).toBe('Notice, see the contract.\n\nThree months.');
    const shape = String.raw`{\shp{\*\shpinst\shpleft0\shptop0{\sp{\sn shapeType}{\sv 202}}{\sp{\sn wzName}{\sv Box 1}}{\shptxt \pard\plain Boxed\par two\par}}{\shprslt{\*\do\dobxpage{\dptxbxtext\pard Boxed\par two\par}}}}`;
    expect(await textOf(`Be${shape}fore\\par After\\par`)).toBe('Before\n\nBoxed\ntwo\n\nAfter');
  });

  it('A footnote in a cell or a heading does not end it', async () => {
    const note = String.raw`{\footnote \pard\plain \chftn The note.\par}`;
    const blocks = await read(
      String.raw`\pard\outlinelevel0 Allowances${note} abroad\par\trowd\cellx1000\cellx2000\pard\intbl Germany${note}\cell 28\cell \row \pard After\par`,
    );
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Allowances abroad' },
      { kind: 'paragraph', text: 'The note.' },
      expect.objectContaining({ kind: 'row', text: 'Germany | 28' }),
      { kind: 'paragraph', text: 'The note.' },
      { kind: 'paragraph', text: 'After' },
    ]);
  });

  it('Binary data is skipped, also across the pieces of the file, and a document that ends too early is read', async () => {
    const binary = `{\\*\\blip\\bin200000 ${'{\\par '.repeat(40_000).slice(0, 200_000)}}`;
    expect(await textOf(`Before\\par${binary}After\\par`)).toBe('Before\n\nAfter');
    expect(
      joined(await readBlocks(readRtf, Buffer.from(String.raw`{\rtf1 cut {\b off`, 'latin1'))),
    ).toBe('cut off');
  });

  it('No text is EMPTY, and groups in groups without end are TOO_COMPLEX', async () => {
    await expect(textOf(String.raw`{\info x}`)).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(textOf('{'.repeat(5_000))).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('The words of a long file are the same in whatever pieces it is read', async () => {
    const words = Array.from({ length: 30_000 }, (_, nth) => `word${nth}\\'e9`);
    const text = await textOf(words.join(' \\par '));
    expect(text.split('\n\n')).toEqual(words.map((word) => word.replace("\\'e9", 'é')));
  });
});
