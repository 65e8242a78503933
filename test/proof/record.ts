import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Proven, table } from './table.ts';

/** What came of a proof the last time, and where and when that was. */
type Recorded = Proven & { machine: string; seed: number };

const recordFile = fileURLToPath(new URL('./record.json', import.meta.url));
const readmeFile = fileURLToPath(new URL('../../README.md', import.meta.url));
const place = /(<!-- proofs -->)[\s\S]*?(<!-- \/proofs -->)/;

/**
 * Keeps what came of this proof, in place of what came of it before, and tells it in the README.
 */
export function record(proven: Proven, machine: string, seed: number): void {
  const before: Recorded[] = existsSync(recordFile)
    ? JSON.parse(readFileSync(recordFile, 'utf8'))
    : [];
  const all = [
    ...before.filter(({ name }) => name !== proven.name),
    { ...proven, machine, seed },
  ].sort((one, other) => (one.name < other.name ? -1 : 1));
  writeFileSync(recordFile, `${JSON.stringify(all, null, 2)}\n`);
  const readme = readFileSync(readmeFile, 'utf8');
  if (!place.test(readme)) throw new Error('The README has no place for the proofs');
  writeFileSync(
    readmeFile,
    readme.replace(place, (_, start: string, end: string) => `${start}\n${section(all)}\n${end}`),
  );
}

function section(all: readonly Recorded[]): string {
  const machines = [...new Set(all.map(({ machine }) => machine))];
  const rows = all.map(
    (one) =>
      `| ${one.name} | ${one.claim} | ${outcome(one)} | ${time(one.seconds)} | ${one.seed} |`,
  );
  return [
    `Last run: ${machines.join('; ')}.`,
    '',
    '| proof | what it shows | figures that held | time | seed |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '<details><summary>Every figure</summary>',
    '',
    table(all),
    '',
    '</details>',
  ].join('\n');
}

function outcome({ findings, fault }: Recorded): string {
  if (fault !== undefined) return `**none: ${fault}**`;
  const goals = findings.flatMap((finding) => ('held' in finding ? [finding] : []));
  const held = goals.filter((goal) => goal.held).length;
  const leftOut = findings.length - goals.length;
  const told =
    held === goals.length ? `${held} of ${goals.length}` : `**${held} of ${goals.length}**`;
  return leftOut === 0 ? told : `${told}, ${leftOut} left out`;
}

const time = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
