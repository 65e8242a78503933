import { describe, expect, it } from 'vitest';
import { readOdt } from '../../../src/vault/extract/odt.ts';
import { odtFile } from '../../support/office-files.ts';
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

  it('Notes and frames follow the paragraph that contains them, in their order', async () => {
    const note = (text: string) =>
      `<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`;
    const body = `<text:p>one${note('first')} two${note('second')}<draw:frame xmlns:draw="d"><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame> three</text:p><text:p>end</text:p>`;
    expect(joined(await readBlocks(readOdt, odtFile(body)))).toBe(
      'one two three\n\nfirst\n\nsecond\n\nboxed\n\nend',
    );
  });
});
