import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextBlock } from '../../../src/vault/extract/block.ts';
import { readJson } from '../../../src/vault/extract/json.ts';

/** Reads a text that arrives in pieces of these lengths, repeatedly. */
async function read(text: string, lengths: readonly number[] = [65_536]): Promise<TextBlock[]> {
  async function* pieces() {
    for (let from = 0, index = 0; from < text.length; index += 1) {
      const to = from + (lengths[index % lengths.length] ?? 1);
      yield text.slice(from, to);
      from = to;
    }
  }
  const blocks: TextBlock[] = [];
  for await (const block of readJson(pieces())) blocks.push(block);
  return blocks;
}

const textOf = (blocks: readonly TextBlock[]) =>
  blocks.map(({ text, separator = '\n\n' }) => separator + text).join('');

/** The lines of a value: the path of each leaf, and the leaf. */
function leavesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) =>
      leavesOf(item, `${path}${path === '' ? '' : '.'}${name}`),
    );
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [path === '' ? text : `${path}: ${text}`];
}

const names = fc.string({ maxLength: 20 }).filter((name) => name !== '' && name !== '__proto__');
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary', maxLength: 700 }),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });

describe('a JSON document', () => {
  it('Each value is read with its path, wherever the document is split into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(document, lengths, fc.boolean(), async (value, cuts, isIndented) => {
        const blocks = await read(JSON.stringify(value, null, isIndented ? 2 : 0), cuts);
        expect(blocks.map(({ text }) => text)).toEqual(leavesOf(value));
      }),
      { numRuns: 500 },
    );
  });

  it('Numbers keep all their digits', async () => {
    const digits = '9'.repeat(20_000);
    expect(textOf(await read(`[12345678901234567890.10, 1e400, ${digits}]`))).toBe(
      `\n\n[0]: 12345678901234567890.10\n\n[1]: 1e400\n\n[2]: ${digits}`,
    );
  });

  it.each([
    '{"a": 1',
    '["text',
    '[1, 2',
    '[1 2]',
    '{"a" 1}',
    '{"a": 1]',
    '[1,]',
    '[\u0001]',
    'nul',
    '["\n"]',
  ])('Damaged JSON is rejected: %s', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ name: 'ExtractError', code: 'DAMAGED' });
    await expect(read(text, [1])).rejects.toMatchObject({ code: 'DAMAGED' });
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s may be nested 99,999 deep and no deeper', async (_, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect(await read(nested(99_999))).toHaveLength(1);
    await expect(read(nested(100_001))).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('A string of more than 64 MiB is TOO_COMPLEX', async () => {
    await expect(read(`["${'a'.repeat(70_000_000)}"]`)).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
    });
  });
});
