import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
const section = text.slice(text.indexOf('## OWASP ASVS 5.0'));
const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
const idsOf = (row: string) => row.split('|')[1]?.match(/\b\d+\.\d+\.\d+\b/g) ?? [];

/** The number of requirements of levels 1 and 2 in each chapter of ASVS 5.0.0. */
const requirements = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe('SECURITY.md', () => {
  it('SECURITY.md lists every requirement of ASVS levels 1 and 2 once', () => {
    const ids = rows.flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      requirements.map((_, chapter) => ids.filter((id) => id.startsWith(`${chapter + 1}.`)).length),
    ).toEqual(requirements);
  });

  it('SECURITY.md states for each requirement whether it is met', () => {
    for (const row of rows)
      expect(['met', 'partly', 'not met', 'n/a']).toContain(row.split('|')[2]?.trim());
  });

  it('SECURITY.md names only existing tests and proofs', () => {
    const named = [...text.matchAll(/`([a-z][\w./-]*)`/g)].map(([, name = '']) => name);
    const tests = named.filter((name) => name.endsWith('.test.ts'));
    const proofs = named.filter((name) =>
      /^(security|isolation|fuzz|faults|ship)\/[\w-]+$/.test(name),
    );
    expect(tests.length).toBeGreaterThan(80);
    expect(proofs.length).toBeGreaterThan(50);
    for (const name of tests) expect(existsSync(new URL(name, import.meta.url)), name).toBe(true);
    for (const name of proofs)
      expect(existsSync(new URL(`proof/${name}.proof.ts`, import.meta.url)), name).toBe(true);
  });
});
