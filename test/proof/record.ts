import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replaceSection } from '../../deploy/marked-section.ts';
import { type ProofOutcome, table } from './table.ts';

/** The latest outcome of a proof, with its date, its machine and its seed. */
type RecordedOutcome = ProofOutcome & { machine: string; seed: number };

const recordFile = fileURLToPath(new URL('./record.json', import.meta.url));
const pageFile = fileURLToPath(new URL('../../docs/proofs.md', import.meta.url));

/** Replaces the recorded outcome of this proof and rewrites the tables of docs/proofs.md. */
export function record(outcome: ProofOutcome, machine: string, seed: number): void {
  const entries = [
    ...readRecord().filter(({ name }) => name !== outcome.name),
    { ...outcome, machine, seed },
  ].sort((first, second) => (first.name < second.name ? -1 : 1));
  writeFileSync(recordFile, `${JSON.stringify(entries, null, 2)}\n`);
  writeFileSync(pageFile, withProofs(readFileSync(pageFile, 'utf8')));
}

/** The page of proofs with its tables computed from the record. */
export const withProofs = (page: string): string =>
  replaceSection(page, 'proofs', section(readRecord()));

const readRecord = (): RecordedOutcome[] =>
  existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : [];

function section(entries: readonly RecordedOutcome[]): string {
  const machines = [...new Set(entries.map(({ machine }) => machine))];
  const rows = entries.map(
    (entry) =>
      `| ${entry.name} | ${entry.claim} | ${heldFigures(entry)} | ${time(entry.seconds)} | ${entry.seed} |`,
  );
  return [
    `Last runs:\n${machines.map((machine) => `- ${machine}`).join('\n')}`,
    '',
    '| proof | claim | figures that held | time | seed |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '<details><summary>All figures</summary>',
    '',
    table(entries),
    '',
    '</details>',
  ].join('\n');
}

function heldFigures({ findings, fault }: RecordedOutcome): string {
  if (fault !== undefined) return `**failed: ${fault}**`;
  const goals = findings.flatMap((finding) => ('held' in finding ? [finding] : []));
  const held = goals.filter((goal) => goal.held).length;
  const skipped = findings.length - goals.length;
  const text =
    held === goals.length ? `${held} of ${goals.length}` : `**${held} of ${goals.length}**`;
  return skipped === 0 ? text : `${text}, ${skipped} skipped`;
}

const time = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
