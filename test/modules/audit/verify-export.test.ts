import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyExport } from '../../../src/modules/audit/verifying/verify-export.ts';
import {
  checkpointOf,
  exportKeys,
  exportOf,
  hashOfLine,
  lineAt,
} from '../../support/audit-export.ts';

const log = Array.from({ length: 40 }, (_, position) => lineAt(position));
const whole = exportOf(log);
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Sends a text in pieces, as a file is read. */
async function* piecesOf(text: string | Buffer, size = 1_000) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const verify = (text: string | Buffer, checkpoints: ReturnType<typeof checkpointOf>[] = []) =>
  verifyExport({ chunks: piecesOf(text), keys: exportKeys, checkpoints });
const verifyLines = (lines: readonly string[]) => verify(textOf(lines));
const positions = fc.nat(log.length - 1);
const messagesOf = async (lines: readonly string[]) =>
  (await verifyLines(lines)).faults.map(({ line, message }) => `${line}: ${message}`);

it('An export that nobody has changed has no fault', async () => {
  expect(await verifyLines(whole)).toMatchObject({ entries: 40, first: 0, faults: [] });
});

it('Each part of a log has no fault, also one without entries', async () => {
  await fc.assert(
    fc.asyncProperty(positions, positions, fc.integer({ min: 1, max: 500 }), async (a, b, size) => {
      const lines = exportOf(log, Math.min(a, b), Math.max(a, b));
      const result = await verifyExport({
        chunks: piecesOf(textOf(lines), size),
        keys: exportKeys,
      });
      expect(result.faults).toEqual([]);
      expect(result.entries).toBe(Math.abs(a - b));
    }),
  );
});

it('Any changed byte is found', async () => {
  const bytes = Buffer.from(textOf(whole));
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect((await verify(changed)).faultCount).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

it('A changed byte of an entry is named by its line', async () => {
  await fc.assert(
    fc.asyncProperty(positions, fc.nat(), fc.nat(6), async (position, offset, bit) => {
      const lines = [...whole];
      const bytes = Buffer.from(lines[position] ?? '');
      const at = offset % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      lines[position] = bytes.toString('latin1');
      fc.pre(!lines[position].includes('\n'));
      const { faults } = await verifyLines(lines);
      expect(faults[0]).toMatchObject({ line: position + 1 });
      expect(faults[0]?.message).toContain(`of position ${position} was changed`);
      // The other lines are not blamed.
      expect(faults.filter(({ line }) => line !== null)).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

it('Any removed line is found, and the place where it is missing is named', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (at) => {
      const { faults, faultCount } = await verifyLines(whole.toSpliced(at, 1));
      expect(faultCount).toBeGreaterThan(0);
      if (at > 0 && at < log.length - 1)
        expect(faults[0]).toEqual({
          line: at + 1,
          message: `The entry of position ${at} is missing before this line`,
        });
    }),
  );
});

it('Any inserted line is found and named', async () => {
  const foreign = lineAt(1_000);
  const forged = lineAt(7, 'Forged');
  const candidates = fc.constantFrom(...log, foreign, forged, '{}', 'text', '');
  await fc.assert(
    fc.asyncProperty(fc.nat(log.length), candidates, async (at, line) => {
      const { faults, faultCount } = await verifyLines(whole.toSpliced(at, 0, line));
      expect(faultCount).toBeGreaterThan(0);
      // Of two equal lines, and of two with the position that is expected, it is open which one was
      // inserted, and one at the edge can be a longer log.
      const isOpen = line === log[at] || line === log[at - 1] || (line === forged && at === 7);
      if (at > 0 && at < log.length && !isOpen) expect(faults[0]?.line).toBe(at + 1);
    }),
    { numRuns: 300, examples: [[7, forged]] },
  );
});

it('Any two lines that were swapped are found', async () => {
  await fc.assert(
    fc.asyncProperty(positions, positions, async (a, b) => {
      fc.pre(a !== b);
      const lines = [...whole];
      [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
      expect((await verifyLines(lines)).faultCount).toBeGreaterThan(0);
    }),
  );
});

describe('A forger who computes the hashes of lines again', () => {
  const forged = whole.with(12, lineAt(12, 'Forged'));

  it('is found by the root that was signed', async () => {
    expect(await messagesOf(forged)).toEqual([
      'null: The entries do not give the root of the checkpoint',
    ]);
  });

  it('is found between two stored checkpoints', async () => {
    const hashes = log.map(hashOfLine);
    const stored = [5, 10, 13, 30].map((size) => checkpointOf(hashes, size));
    const { faults } = await verify(textOf(forged), stored);
    expect(faults.map(({ message }) => message)).toEqual([
      'The entries do not give the root of the checkpoint; those before position 10 are as sealed',
    ]);
  });

  it('is found if the operator has signed another log since a checkpoint was stored', async () => {
    const stored = checkpointOf(log.map(hashOfLine), 20);
    const other = exportOf(log.with(12, lineAt(12, 'Forged')));
    expect((await verifyLines(other)).faults).toEqual([]);
    expect((await verify(textOf(other), [stored])).faults).toEqual([
      {
        line: null,
        message: 'The entries before position 20 do not give the root of the stored checkpoint',
      },
    ]);
  });
});

it('A checkpoint of an unknown key, or of another organization, is a fault', async () => {
  const unknown = await verifyExport({ chunks: piecesOf(textOf(whole)), keys: new Map() });
  expect(unknown.faults[0]?.message).toContain('which is not among the keys');
  const changed = whole.with(-1, (whole.at(-1) ?? '').replace('"organization"', '"organizatioN"'));
  expect((await verifyLines(changed)).faults[0]?.message).toContain('differ from the signed text');
});

it('A file without entries and without an end is a fault', async () => {
  for (const text of ['', '\n', 'text\n'])
    expect((await verify(text)).faultCount).toBeGreaterThan(0);
});

it('A part of a log that is longer than the memory of the check is read in pieces', async () => {
  const long = Array.from({ length: 3_000 }, (_, position) => lineAt(position));
  expect((await verify(textOf(exportOf(long, 700, 2_900)))).faults).toEqual([]);
});

it('Another form of the same content is found: white space, and other digits of a signature', async () => {
  const spaced = whole.with(3, (whole[3] ?? '').replace('{"position"', '{ "position"'));
  expect((await verifyLines(spaced)).faults).toMatchObject([{ line: 4 }]);
  // The last character of 64 bytes in base64url has four bits that stand for nothing.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const end = (whole.at(-1) ?? '').replace(
    /(.)"\}\}$/,
    (_, last: string) => `${letters[letters.indexOf(last) + 1]}"}}`,
  );
  expect(end).not.toBe(whole.at(-1));
  expect((await verifyLines(whole.with(-1, end))).faultCount).toBeGreaterThan(0);
});
