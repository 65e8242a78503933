import { describe, expect, it } from 'vitest';
import { readDocx } from '../../../src/vault/extract/docx.ts';
import { docxFile, docxOf } from '../../support/office-files.ts';
import { joined, outline, readBlocks } from '../../support/read-blocks.ts';

describe('readDocx', () => {
  it('A Word document gives headings, paragraphs, lists, table rows and footnotes, in every script', async () => {
    const blocks = await readBlocks(
      readDocx,
      await docxFile([
        { heading: 'Größe' },
        { text: 'Ähre 漢字 😀 שלום', footnote: 'A note' },
        { heading: 'Deeper', level: 2 },
        { list: ['one', 'two'] },
        {
          rows: [
            ['Name', 'Age'],
            ['Ann', '41'],
          ],
        },
        { text: 'End' },
      ]),
    );
    expect(outline(blocks)).toEqual([
      '# Größe',
      'Ähre 漢字 😀 שלום',
      '## Deeper',
      'one',
      'two',
      'row Name | Age',
      'row Ann | 41',
      'End',
      'A note',
    ]);
    expect(joined(blocks)).toBe(
      'Größe\n\nÄhre 漢字 😀 שלום\n\nDeeper\n\none\ntwo\n\nName | Age\nAnn | 41\n\nEnd\n\nA note',
    );
  });

  it('Entries of lists keep their numbers, and headers are read once', async () => {
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '§ %1')}${level(1, 'lowerLetter', '%1%2)')}${level(2, 'bullet', '•')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
    const entry = (at: number, text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const header = '<w:hdr xmlns:w="w"><w:p><w:r><w:t>Contract K-77</w:t></w:r></w:p></w:hdr>';
    const blocks = await readBlocks(
      readDocx,
      docxOf(
        [
          entry(0, 'Rent'),
          entry(1, 'Amount'),
          entry(1, 'Date'),
          entry(2, 'Point'),
          entry(0, 'Notice'),
          entry(1, 'Form'),
        ].join(''),
        {
          n: ['numbering', 'numbering.xml'],
          a: ['header', 'header1.xml'],
          b: ['header', 'header2.xml'],
        },
        {
          'word/numbering.xml': numbering,
          'word/header1.xml': header,
          'word/header2.xml': header,
        },
      ),
    );
    expect(joined(blocks)).toBe(
      '§ 1 Rent\n1a) Amount\n1b) Date\nPoint\n§ 2 Notice\n2a) Form\n\nContract K-77',
    );
  });

  it('Deleted text, field codes and fallbacks for older programs are left out', async () => {
    const blocks = await readBlocks(
      readDocx,
      docxOf(
        '<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:t>deleted</w:t></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r><mc:Fallback xmlns:mc="mc"><w:t>old</w:t></mc:Fallback></w:p>',
      ),
    );
    expect(joined(blocks)).toBe('kept');
  });

  it('References to files or addresses outside the document are not read', async () => {
    const body = '<w:p><w:r><w:t>inside</w:t></w:r></w:p>';
    const relations: Record<string, [string, string]> = {
      f: ['footnotes', 'file:///etc/passwd'],
      e: ['endnotes', '../../../../../../etc/passwd'],
      s: ['styles', 'http://127.0.0.1:9/styles.xml'],
    };
    expect(joined(await readBlocks(readDocx, docxOf(body, relations)))).toBe('inside');
  });

  it('Fractions, powers, indices and roots of a formula keep their signs', async () => {
    const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const half = `<m:f><m:num>${t('1')}</m:num><m:den>${t('2')}</m:den></m:f>`;
    const sum = `<m:f><m:num>${t('a+b')}</m:num><m:den>${t('c')}</m:den></m:f>`;
    const power = `<m:sSup><m:e>${t('10')}</m:e><m:sup>${t('6')}</m:sup></m:sSup>`;
    const index = `<m:sSub><m:e>${t('x')}</m:e><m:sub>${t('i+1')}</m:sub></m:sSub>`;
    const root = `<m:rad><m:deg/><m:e>${t('2')}</m:e></m:rad>`;
    const cube = `<m:rad><m:deg>${t('3')}</m:deg><m:e>${t('8')}</m:e></m:rad>`;
    const body = [half, sum, power, index, root, cube]
      .map((math) => `<w:p><m:oMath xmlns:m="m">${math}</m:oMath></w:p>`)
      .join('');
    expect(joined(await readBlocks(readDocx, docxOf(body))).split('\n\n')).toEqual([
      '1/2',
      '(a+b)/c',
      '10^6',
      'x_(i+1)',
      '√(2)',
      '3√(8)',
    ]);
  });

  it('A document without text is EMPTY, with entities or broken XML DAMAGED, with excessive nesting TOO_COMPLEX', async () => {
    const faultOf = (bytes: Uint8Array) =>
      readBlocks(readDocx, bytes).catch(({ code }: { code: string }) => code);
    const entityBomb =
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:p xmlns:w="w">&b;&c;</w:p>';
    expect(await faultOf(await docxFile([]))).toBe('EMPTY');
    expect(await faultOf(docxOf('<w:p>'))).toBe('DAMAGED');
    expect(
      await faultOf(docxOf('', { f: ['footnotes', 'n.xml'] }, { 'word/n.xml': entityBomb })),
    ).toBe('DAMAGED');
    expect(await faultOf(docxOf('<w:x>'.repeat(2000) + '</w:x>'.repeat(2000)))).toBe('TOO_COMPLEX');
  });

  it('Styles based on a heading are headings at any distance, and circular styles end', async () => {
    const style = (id: string, rest: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}">${rest}</w:style>`;
    const styles = `<w:styles xmlns:w="w">${[
      style('H', '<w:name w:val="heading 2"/>'),
      style('Own', '<w:name w:val="Own"/><w:basedOn w:val="H"/>'),
      style('Deep', '<w:basedOn w:val="Own"/>'),
      style('Level', '<w:pPr><w:outlineLvl w:val="4"/></w:pPr>'),
      style('A', '<w:basedOn w:val="B"/>'),
      style('B', '<w:basedOn w:val="A"/>'),
    ].join('')}</w:styles>`;
    const body = ['H', 'Deep', 'Level', 'A', 'Unknown']
      .map((id) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${id}</w:t></w:r></w:p>`)
      .join('');
    const blocks = await readBlocks(
      readDocx,
      docxOf(body, { s: ['styles', 'styles.xml'] }, { 'word/styles.xml': styles }),
    );
    expect(outline(blocks)).toEqual(['## H', '## Deep', '##### Level', 'A', 'Unknown']);
  });
});
