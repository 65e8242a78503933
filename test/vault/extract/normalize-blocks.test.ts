import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockUnitsMax, type TextBlock } from '../../../src/vault/extract/block.ts';
import { normalizeBlocks } from '../../../src/vault/extract/normalize-blocks.ts';

const limits = { unpackedBytesMax: 1, partsMax: 1, pagesMax: 1, textUnitsMax: 1 };
const normalized = async (blocks: TextBlock[]) => {
  const extractor = normalizeBlocks(async function* () {
    yield* blocks;
  });
  const result: TextBlock[] = [];
  for await (const block of extractor({ path: '', bytes: 0 }, limits)) result.push(block);
  return result;
};
const paragraph = (text: string): TextBlock => ({ kind: 'paragraph', text });

describe('normalizeBlocks', () => {
  it('No block is empty, too long, or contains NUL or an unpaired surrogate', async () => {
    const unit = fc.constantFrom('a', ' ', '\n', '\u0000', '\ud83d', '\ude00', '😀', '漢', 'ש');
    const arbitraryText = fc
      .tuple(fc.string({ unit, maxLength: 30 }), fc.constantFrom(1, 1, 1, 3000))
      .map(([text, times]) => text.repeat(times));
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryText, { maxLength: 5 }), async (texts) => {
        const blocks = await normalized([paragraph('x'), ...texts.map(paragraph)]);
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

  it('A long block is split without losing or adding text', async () => {
    const text = `${'x'.repeat(blockUnitsMax - 1)}😀${'y'.repeat(2 * blockUnitsMax)}`;
    const blocks = await normalized([{ kind: 'row', text, page: 3, separator: '\n' }]);
    expect(blocks.map(({ text: piece }) => piece).join('')).toBe(text);
    expect(blocks.map(({ separator }) => separator)).toEqual(['\n', '', '', '']);
    expect(blocks.every(({ page, kind }) => page === 3 && kind === 'row')).toBe(true);
  });

  it('A document without text is rejected as EMPTY', async () => {
    await expect(normalized([])).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(normalized([paragraph(' \n\u0000\u0007 ')])).rejects.toMatchObject({
      code: 'EMPTY',
    });
  });
});
