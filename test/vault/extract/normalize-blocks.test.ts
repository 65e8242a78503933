import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TextBlock, blockUnitsMax } from '../../../src/vault/extract/block.ts';
import { normalizeBlocks } from '../../../src/vault/extract/normalize-blocks.ts';

const limits = { unpackedBytesMax: 1, partsMax: 1, pagesMax: 1, textUnitsMax: 1 };
const kept = async (blocks: TextBlock[]) => {
  const read = normalizeBlocks(async function* () {
    yield* blocks;
  });
  const out: TextBlock[] = [];
  for await (const block of read({ path: '', bytes: 0 }, limits)) out.push(block);
  return out;
};
const paragraph = (text: string): TextBlock => ({ kind: 'paragraph', text });

describe('what any extractor gives', () => {
  it('has no block that is empty, too long, or holds NUL or half a character', async () => {
    const unit = fc.constantFrom('a', ' ', '\n', '\u0000', '\ud83d', '\ude00', '😀', '漢', 'ש');
    const stretch = fc
      .tuple(fc.string({ unit, maxLength: 30 }), fc.constantFrom(1, 1, 1, 3000))
      .map(([text, times]) => text.repeat(times));
    await fc.assert(
      fc.asyncProperty(fc.array(stretch, { maxLength: 5 }), async (texts) => {
        const blocks = await kept([paragraph('x'), ...texts.map(paragraph)]);
        for (const { text } of blocks) {
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(blockUnitsMax);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toContain('\u0000');
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is cut where it is too long, so that nothing is lost and nothing comes between', async () => {
    const text = `${'x'.repeat(blockUnitsMax - 1)}😀${'y'.repeat(2 * blockUnitsMax)}`;
    const blocks = await kept([{ kind: 'row', text, page: 3, separator: '\n' }]);
    expect(blocks.map(({ text: piece }) => piece).join('')).toBe(text);
    expect(blocks.map(({ separator }) => separator)).toEqual(['\n', '', '', '']);
    expect(blocks.every(({ page, kind }) => page === 3 && kind === 'row')).toBe(true);
  });

  it('is refused as EMPTY where there is no text at all', async () => {
    await expect(kept([])).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(kept([paragraph(' \n\u0000\u0007 ')])).rejects.toMatchObject({ code: 'EMPTY' });
  });
});
