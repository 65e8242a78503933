import { describe, expect, it } from 'vitest';
import { readOdt } from '../../../src/vault/extract/odt.ts';
import { odtFile, openDocumentFile } from '../../support/office-files.ts';
import { joined, readBlocks } from '../../support/read-blocks.ts';

describe('readOdt', () => {
  it('An OpenDocument text gives headings, paragraphs, lists and table rows', async () => {
    const body =
      '<text:h text:outline-level="2">Größe</text:h><text:p>Ähre<text:s text:c="2"/>漢字 <text:span>😀</text:span></text:p><text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>' +
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>';
    const blocks = await readBlocks(readOdt, odtFile(body));
    expect(joined(blocks)).toBe('Größe\n\nÄhre  漢字 😀\n\none\ntwo\n\na | b');
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 2 });
  });

  it('A document with a password is ENCRYPTED, and one without text is EMPTY', async () => {
    await expect(
      readBlocks(readOdt, odtFile('<text:p>x</text:p>', '<manifest:encryption-data/>')),
    ).rejects.toMatchObject({ code: 'ENCRYPTED' });
    await expect(readBlocks(readOdt, odtFile('<text:p/>'))).rejects.toMatchObject({
      code: 'EMPTY',
    });
  });

  it('A document of OpenOffice 2 is read, whose parts name a document type', async () => {
    const type = (name: string, file: string) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${name} PUBLIC "-//OpenOffice.org//DTD ${file} 1.0//EN" "${file}.dtd">\n`;
    const manifest = (type: string) => ({
      'META-INF/manifest.xml': `${type}<manifest:manifest xmlns:manifest="m"/>`,
    });
    const read = (parts: Record<string, string>) =>
      readBlocks(readOdt, openDocumentFile({ kind: 'text', body: '<text:p>old</text:p>', parts }));
    expect(joined(await read(manifest(type('manifest:manifest', 'Manifest'))))).toBe('old');
    await expect(
      read(manifest('<!DOCTYPE manifest:manifest [<!ENTITY a "ha">]>')),
    ).rejects.toMatchObject({ code: 'DAMAGED' });
  });

  it('Notes and frames follow the paragraph that contains them, in their order', async () => {
    const note = (text: string) =>
      `<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`;
    const body = `<text:p>one${note('first')} two${note('second')}<draw:frame xmlns:draw="d"><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame> three</text:p><text:p>end</text:p>`;
    expect(joined(await readBlocks(readOdt, odtFile(body)))).toBe(
      'one two three\n\nfirst\n\nsecond\n\nboxed\n\nend',
    );
  });

  it('The text of a formula is in its paragraph, and an embedded chart adds no text', async () => {
    const object = (name: string) =>
      `<draw:frame><draw:object xlink:href="./${name}"/><draw:image xlink:href="./Pictures/a.png"/></draw:frame>`;
    const element = (name: string, ...children: string[]) =>
      `<${name}>${children.join('')}</${name}>`;
    const root = element(
      'msqrt',
      element('msup', '<mi>b</mi>', '<mn>2</mn>'),
      '<mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi>',
    );
    const formula = element(
      'math',
      element(
        'semantics',
        element(
          'mrow',
          element('msub', '<mi>x</mi>', '<mn>1</mn>'),
          '<mo>=</mo>',
          element(
            'mfrac',
            element('mrow', '<mo>−</mo><mi>b</mi><mo>+</mo>', root),
            element('mrow', '<mn>2</mn><mi>a</mi>'),
          ),
        ),
        '<annotation encoding="StarMath 5.0">x_1 = {-b + sqrt{b^2 - 4ac}} over {2a}</annotation>',
      ),
    );
    const body = `<text:p>Thus ${object('Object 1')} holds.</text:p><text:p>Again ${object('Object 1')}${object('Chart')}</text:p>`;
    const parts = {
      'Object 1/content.xml': formula,
      'Chart/content.xml': '<chart><text>Sales</text></chart>',
    };
    const text = joined(await readBlocks(readOdt, openDocumentFile({ kind: 'text', body, parts })));
    const line = 'x_1 = (−b + √(b^2 − 4ac))/(2a)';
    expect(text).toBe(`Thus ${line} holds.\n\nAgain ${line}`);
  });

  it('The table of contents is left out', async () => {
    const entry = '<text:p>Fristen<text:tab/>3</text:p>';
    const contents = `<text:table-of-content><text:index-body><text:index-title><text:p>Inhalt</text:p></text:index-title>${entry}</text:index-body></text:table-of-content>`;
    const body = `${contents}<text:h text:outline-level="1">Fristen</text:h><text:p>Vierzehn Tage.</text:p>`;
    expect(joined(await readBlocks(readOdt, odtFile(body)))).toBe('Fristen\n\nVierzehn Tage.');
  });

  it('Each slide of a presentation is a page with its title, its lists, its tables and its notes', async () => {
    const box = (presentationClass: string, text: string) =>
      `<draw:frame presentation:class="${presentationClass}"><draw:text-box>${text}</draw:text-box></draw:frame>`;
    const item = (text: string) => `<text:list-item><text:p>${text}</text:p></text:list-item>`;
    const table =
      '<draw:frame><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></draw:frame>';
    const slide = (content: string) => `<draw:page draw:name="page">${content}</draw:page>`;
    const body =
      slide(
        `${box('title', '<text:p>Allowances</text:p>')}${box('outline', `<text:list>${item('28 euro')}${item('50 euro')}</text:list>`)}<presentation:notes>${box('notes', '<text:p>Say why.</text:p>')}</presentation:notes>`,
      ) + slide(`${table}<draw:frame><svg:title>a picture</svg:title></draw:frame>`);
    const file = openDocumentFile({ kind: 'presentation', body });
    const blocks = await readBlocks(readOdt, file);
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Allowances', page: 1 },
      { kind: 'paragraph', text: '28 euro', page: 1 },
      { kind: 'paragraph', text: '50 euro', page: 1, separator: '\n' },
      { kind: 'paragraph', text: 'Say why.', page: 1 },
      { kind: 'row', text: 'a | b', page: 2 },
    ]);
    expect(
      (await readBlocks(readOdt, file, { pagesMax: 1 })).map(({ page }) => page),
    ).not.toContain(2);
  });
});
