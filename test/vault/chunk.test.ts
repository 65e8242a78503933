import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunk } from '../../src/vault/chunk.ts';
import { separatorOf, type TextBlock } from '../../src/vault/extract/block.ts';
import type { Passage } from '../../src/vault/passage.ts';

const heading = (text: string, level = 1, page?: number): TextBlock => ({
  kind: 'heading',
  text,
  level,
  ...(page ? { page } : {}),
});
const paragraph = (text: string, page?: number): TextBlock => ({
  kind: 'paragraph',
  text,
  ...(page ? { page } : {}),
});

const passagesOf = async (blocks: TextBlock[], tokensMax?: number): Promise<Passage[]> => {
  const stream = (async function* () {
    yield* blocks;
  })();
  const passages: Passage[] = [];
  for await (const passage of chunk(stream, tokensMax === undefined ? {} : { tokensMax }))
    passages.push(passage);
  return passages;
};

const textOf = (blocks: TextBlock[]) =>
  blocks
    .map(
      (arbitraryBlock, index) =>
        (index === 0 ? '' : separatorOf(arbitraryBlock)) + arbitraryBlock.text,
    )
    .join('');

const sentence = (number: number) =>
  `Sentence number ${number} says something that nobody else says.`;
const prose = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sentence(from + index)).join(' ');

describe('chunk', () => {
  it('A short document gives one passage without the surrounding white space', async () => {
    expect(await passagesOf([paragraph('  Hello there.\n')])).toEqual([
      { ordinal: 0, text: 'Hello there.', page: null, headings: [], start: 2, end: 14 },
    ]);
  });

  it('A passage ends before a heading, repeats nothing of the section before, and has the headings above it', async () => {
    const blocks = [
      heading('Handbook'),
      heading('Travel', 2),
      paragraph(prose(1, 6)),
      heading('Money', 2),
      paragraph(prose(20, 6)),
      heading('Appendix'),
      paragraph(prose(40, 6)),
    ];
    const passages = await passagesOf(blocks);
    expect(passages.map(({ headings, text }) => [headings, text.split('\n')[0]])).toEqual([
      [['Handbook', 'Travel'], 'Handbook'],
      [['Handbook', 'Money'], 'Money'],
      [['Appendix'], 'Appendix'],
    ]);
  });

  it('All passages of a long section have the heading of the section', async () => {
    const passages = await passagesOf([heading('Long'), paragraph(prose(1, 100))]);
    expect(passages.length).toBeGreaterThan(3);
    expect(new Set(passages.map(({ headings }) => headings.join()))).toEqual(new Set(['Long']));
  });

  it('A passage never ends with the heading of the next passage', async () => {
    const blocks = Array.from({ length: 60 }, (_, index) => [
      heading(`Part ${index}`, 2),
      paragraph(prose(index * 7, 1 + (index % 5))),
    ]).flat();
    for (const { text } of await passagesOf(blocks)) expect(text).not.toMatch(/Part \d+$/);
  });

  it('A passage ends with a paragraph if one ends in its second half', async () => {
    const passages = await passagesOf(
      Array.from({ length: 30 }, (_, index) => paragraph(prose(index * 10, 7))),
    );
    for (const { text } of passages) expect(text).toMatch(/says\.$/);
    expect(passages[0]?.text.split('\n\n')).toHaveLength(4);
  });

  it('A passage inside a long paragraph ends with a sentence', async () => {
    const passages = await passagesOf([paragraph(prose(1, 200))]);
    for (const { text } of passages) expect(text).toMatch(/^Sentence number .* says\.$/);
  });

  it('A passage of text without sentences ends with a word', async () => {
    const passages = await passagesOf([paragraph('word '.repeat(2_000))]);
    for (const { text } of passages) expect(text).toMatch(/^word .* word$/);
  });

  it('A passage repeats the last sentences of the passage before, at most 15 % of its size', async () => {
    const passages = await passagesOf([paragraph(prose(1, 200))]);
    for (const [index, next] of passages.slice(1).entries()) {
      const previous = passages[index];
      const overlap = (previous?.end ?? 0) - next.start;
      expect(overlap).toBeGreaterThan(0);
      expect(overlap).toBeLessThanOrEqual(450 * 4 * 0.15);
    }
  });

  it('A passage has the number of its page, and each page begins a new passage', async () => {
    const passages = await passagesOf(
      [1, 2, 3].map((page) => paragraph(prose(page * 100, 12), page)),
    );
    expect(passages.map(({ page, text }) => [page, text.slice(0, 19)])).toEqual([
      [1, 'Sentence number 100'],
      [2, 'Sentence number 200'],
      [3, 'Sentence number 300'],
    ]);
  });

  it('Two pages are never combined in one passage, however short they are', async () => {
    const title = heading('Title', 1, 4);
    const blocks = [
      ...[1, 2, 3].flatMap((page) => [
        heading(`Slide ${page}`, 1, page),
        paragraph(`On ${page}.`, page),
      ]),
      title,
      paragraph('The end.', 5),
    ];
    const passages = await passagesOf(blocks);
    expect(passages.splice(3).map(({ page, text }) => [page, text])).toEqual([
      [4, 'Title'],
      [5, 'The end.'],
    ]);
    expect(passages.map(({ page, text, headings }) => [page, text, headings])).toEqual(
      [1, 2, 3].map((page) => [page, `Slide ${page}\n\nOn ${page}.`, [`Slide ${page}`]]),
    );
  });

  it('A passage of a paragraph that spans several pages has the page on which the passage begins', async () => {
    const blocks = [1, 2, 3, 4].map(
      (page): TextBlock => ({
        ...paragraph(prose(page * 100, 30), page),
        ...(page > 1 ? { separator: '\n' } : {}),
      }),
    );
    const starts = blocks.map(
      (_, index) => textOf(blocks.slice(0, index + 1)).length - (blocks[index]?.text.length ?? 0),
    );
    for (const { page, start } of await passagesOf(blocks))
      expect(page).toBe(starts.findLastIndex((at) => at <= start) + 1);
  });

  it('A passage has about 400 tokens: 1,600 letters of English or 400 characters of Chinese', async () => {
    const lengths = async (text: string) =>
      (await passagesOf([paragraph(text)])).slice(0, -1).map((passage) => passage.text.length);
    for (const length of await lengths(prose(1, 500)))
      expect(Math.abs(length - 1_600)).toBeLessThan(250);
    for (const length of await lengths(
      '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。'.repeat(100),
    ))
      expect(Math.abs(length - 400)).toBeLessThan(60);
  });
});

describe('chunk with any blocks', () => {
  const arbitraryWord = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(' ', '\n', '. ', '。', '😀'.repeat(40), 'x'.repeat(700), ' '.repeat(900)),
  );
  const arbitraryBlock: fc.Arbitrary<TextBlock> = fc
    .record({
      kind: fc.constantFrom<TextBlock['kind'][]>('heading', 'paragraph', 'row', 'code'),
      words: fc.array(arbitraryWord, { minLength: 1, maxLength: 60 }),
      level: fc.integer({ min: 1, max: 6 }),
      startsPage: fc.boolean(),
      separator: fc.constantFrom<('' | '\n' | 'blank')[]>('', '\n', 'blank'),
    })
    .map(({ kind, words, level, startsPage, separator }) => ({
      kind,
      text: words.join('').toWellFormed() || 'x',
      ...(kind === 'heading' ? { level } : {}),
      page: startsPage ? 1 : 0,
      ...(separator === 'blank' ? {} : { separator }),
    }));
  const withPages = (blocks: TextBlock[]) => {
    let page = 1;
    return blocks.map((block) => {
      page += block.page ?? 0;
      return { ...block, page };
    });
  };

  it('Passages are slices of the text, in order, within the size limit, and omit only white space', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryBlock, { maxLength: 40 }),
        fc.integer({ min: 20, max: 500 }),
        async (blocksWithoutPages, tokensMax) => {
          const blocks = withPages(blocksWithoutPages);
          const text = textOf(blocks);
          const passages = await passagesOf(blocks, tokensMax);
          let coveredEnd = 0;
          let previousStart = -1;
          for (const [index, passage] of passages.entries()) {
            expect(passage.ordinal).toBe(index);
            expect(passage.text).toBe(text.slice(passage.start, passage.end));
            expect(passage.text).toBe(passage.text.trim());
            expect(passage.text.isWellFormed()).toBe(true);
            expect(passage.text.length).toBeGreaterThan(0);
            expect(passage.text.length).toBeLessThanOrEqual(tokensMax * 4);
            expect(passage.start).toBeGreaterThan(previousStart);
            expect(passage.end).toBeGreaterThan(coveredEnd);
            expect(text.slice(coveredEnd, passage.start).trim()).toBe('');
            expect(coveredEnd - passage.start).toBeLessThanOrEqual(tokensMax * 4 * 0.15);
            previousStart = passage.start;
            coveredEnd = passage.end;
          }
          expect(text.slice(coveredEnd).trim()).toBe('');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('Passages are yielded while the document is being read', async () => {
    let read = 0;
    const endlessBlocks = (async function* () {
      for (;;) {
        read++;
        yield paragraph(prose(read, 10));
      }
    })();
    let yielded = 0;
    for await (const _ of chunk(endlessBlocks)) {
      yielded++;
      expect(read).toBeLessThanOrEqual(yielded * 4 + 8);
      if (yielded === 1_000) break;
    }
    expect(yielded).toBe(1_000);
  });

  it('Ten million spaces give no passage', async () => {
    const blocks = [
      paragraph('before'),
      ...Array.from(
        { length: 1_000 },
        (): TextBlock => ({ ...paragraph(' '.repeat(10_000)), separator: '' }),
      ),
      paragraph('after'),
    ];
    expect((await passagesOf(blocks)).map(({ text }) => text)).toEqual(['before', 'after']);
  });
});
