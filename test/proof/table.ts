import type { ProofFinding } from './proof.ts';

/** The figures of a proof. `fault` is the reason when it ended without figures. */
export type ProofOutcome = {
  name: string;
  claim: string;
  seconds: number;
  findings: ProofFinding[];
  fault?: string;
};

/** Formats outcomes as the table of docs/proofs.md. */
export function table(outcomes: readonly ProofOutcome[]): string {
  const rows = outcomes.flatMap(({ name, findings, fault }) =>
    fault === undefined
      ? findings.map((finding) => row(name, finding))
      : [`| ${name} | ${fault} | | | **no** |`],
  );
  return ['| proof | figure | measured | goal | held |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function row(name: string, finding: ProofFinding): string {
  if ('skipped' in finding)
    return `| ${name} | ${finding.figure} | skipped: ${finding.skipped} | | |`;
  const value = `${formatValue(finding.value)} ${finding.unit}`.trim();
  return `| ${name} | ${finding.figure} | ${value} | ${finding.goal} | ${finding.held ? 'yes' : '**no**'} |`;
}

// Infinity stands for an event that never happened. JSON between processes turns it into null.
const formatValue = (value: number | null) =>
  value === null || !Number.isFinite(value)
    ? 'never'
    : Number.isInteger(value)
      ? value.toLocaleString('en')
      : value.toLocaleString('en', { maximumSignificantDigits: 3 });
