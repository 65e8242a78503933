import type { Finding } from './proof.ts';

/** What came of a proof; `fault` where it ended before it had figures. */
export type Proven = {
  name: string;
  claim: string;
  seconds: number;
  findings: Finding[];
  fault?: string;
};

/** The outcome as the README shows it. */
export function table(proven: readonly Proven[]): string {
  const rows = proven.flatMap(({ name, findings, fault }) =>
    fault === undefined
      ? findings.map((finding) => row(name, finding))
      : [`| ${name} | ${fault} | | | **no** |`],
  );
  return ['| proof | what | measured | promised | held |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function row(name: string, finding: Finding): string {
  if ('leftOut' in finding)
    return `| ${name} | ${finding.figure} | left out: ${finding.leftOut} | | |`;
  const value = `${told(finding.value)} ${finding.unit}`.trim();
  return `| ${name} | ${finding.figure} | ${value} | ${finding.goal} | ${finding.held ? 'yes' : '**no**'} |`;
}

// What never came is written as null between processes.
const told = (value: number | null) =>
  value === null || !Number.isFinite(value)
    ? 'never'
    : Number.isInteger(value)
      ? value.toLocaleString('en')
      : value.toLocaleString('en', { maximumSignificantDigits: 3 });
