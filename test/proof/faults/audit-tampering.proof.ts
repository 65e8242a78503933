import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  addSubtree,
  type HashedSubtree,
  rootOf,
} from '../../../src/modules/audit/sealing/merkle-tree.ts';
import { readLines } from '../../../src/modules/audit/verifying/read-lines.ts';
import { below } from '../../bench/goals.ts';
import { exportKeys, hashOfLine, lineAt, signedCheckpoint } from '../../support/audit-export.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { seededRandom } from '../fuzz/seeded-random.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';

const entriesOf = ({ quick }: Pick<ProofContext, 'quick'>) => (quick ? 20_000 : 1_000_000);
const secondsMax = 60;

export const proof: Proof = {
  claim:
    'npm run audit:verify names the line of a flipped bit, of a removed and of an inserted entry among a million, and reads them in a minute',
  timed: true,
  async measure(context) {
    const directory = temporaryDirectory();
    try {
      return await measureTampering(context, directory.path);
    } finally {
      directory.remove();
    }
  },
};

type Tampering = { name: string; expected: string; change: (line: string) => string[] };

async function measureTampering(
  { seed, quick, log }: ProofContext,
  directory: string,
): Promise<ProofFinding[]> {
  const count = entriesOf({ quick });
  const random = seededRandom(seed, count);
  const place = 1 + random.below(count - 2);
  const keys = join(directory, 'jwks.json');
  const published = [...exportKeys].map(([kid, key]) => ({ kid, ...key }));
  writeFileSync(keys, JSON.stringify({ keys: published }));
  const whole = join(directory, 'entries.ndjson');
  await pipeline(Readable.from(exportLines(count)), createWriteStream(whole));
  log(`an export of ${count} entries was written; entry ${place} is tampered with`);

  const verify = async (file: string) => {
    const start = performance.now();
    const command = run('src/commands/verify-audit.ts', {}, [file, '--key', keys]);
    const code = await command.ended;
    return { code, output: command.stdout(), seconds: (performance.now() - start) / 1_000 };
  };
  const untouched = await verify(whole);
  log(`it was checked in ${untouched.seconds.toFixed(1)} s: ${untouched.output.trim()}`);

  const line = `Line ${place + 1}: `;
  const bit = 1 << random.below(5);
  const tamperings: Tampering[] = [
    {
      name: 'a flipped bit',
      expected: `${line}The entry`,
      change: (text) => [flipBit(text, random.below(text.length), bit)],
    },
    {
      name: 'a removed entry',
      expected: `${line}The entry of position ${place} is missing before this line.`,
      change: () => [],
    },
    {
      name: 'an inserted entry',
      expected: `${line}The entry`,
      change: (text) => [lineAt(count + 5, 'Forged'), text],
    },
  ];
  const findings: ProofFinding[] = [
    exactlyZero('faults in an export that nobody changed', untouched.code ?? 2),
  ];
  for (const { name, expected, change } of tamperings) {
    const file = join(directory, 'tampered.ndjson');
    await pipeline(Readable.from(changedLines(whole, place, change)), createWriteStream(file));
    const { code, output } = await verify(file);
    const isFound = code === 1 && output.startsWith(expected);
    if (!isFound) log(`${name} at ${place} gave ${code}: ${output}`);
    findings.push(exactlyZero(`${name} that is not named by its line`, isFound ? 0 : 1));
  }
  findings.push(
    below(secondsMax, {
      figure: `time to check ${count.toLocaleString('en')} entries`,
      value: Math.round(untouched.seconds * 10) / 10,
      unit: 's',
    }),
  );
  return findings;
}

function* exportLines(count: number): Generator<string> {
  const stack: HashedSubtree[] = [];
  for (let position = 0; position < count; position += 1) {
    const line = lineAt(position);
    addSubtree(stack, { level: 0, index: position, hash: hashOfLine(line) });
    yield `${line}\n`;
  }
  const checkpoint = signedCheckpoint(count, rootOf(stack));
  yield `${JSON.stringify({ first: 0, entries: count, before: [], after: [], checkpoint })}\n`;
}

async function* changedLines(file: string, place: number, change: Tampering['change']) {
  let number = 0;
  for await (const lines of readLines(createReadStream(file))) {
    const changed = lines.flatMap((line) => (number++ === place ? change(line) : [line]));
    if (changed.length > 0) yield `${changed.join('\n')}\n`;
  }
}

function flipBit(text: string, at: number, bit: number): string {
  const bytes = Buffer.from(text);
  bytes[at] = (bytes[at] ?? 0) ^ bit;
  return bytes.toString('latin1');
}
