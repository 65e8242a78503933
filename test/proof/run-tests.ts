import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../support/process.ts';
import { isPostgresReachable } from './fuzz/postgres-reachable.ts';
import { exactlyZero, type Proof, type ProofFinding } from './proof.ts';

type DatabaseKind = 'embedded' | 'postgres';
type TestReport = {
  testResults: {
    assertionResults: { status: string; title: string; failureMessages: string[] }[];
  }[];
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const postgresUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const [rounds, roundsInBrief] = [50, 3];

/**
 * Runs a test file with many rounds of what depends on chance, on each of these databases, and
 * counts the tests that fail.
 */
export const inManyRounds =
  (file: string, databases: readonly DatabaseKind[]): Proof['measure'] =>
  async ({ quick, seed, log }) => {
    const findings: ProofFinding[] = [];
    for (const database of databases) {
      const figure = `${database}: failed tests in ${quick ? roundsInBrief : rounds} rounds`;
      if (database === 'postgres' && !(await isPostgresReachable(postgresUrl))) {
        findings.push({ figure, skipped: `no Postgres at ${postgresUrl}` });
        continue;
      }
      const { ran, failures } = await runTests(file, {
        ...(database === 'postgres' && { TEST_DATABASE_URL: postgresUrl }),
        TEST_ROUNDS: String(quick ? roundsInBrief : rounds),
        TEST_SEED: String(seed),
      });
      log(`${database}: ${ran} tests ran`);
      for (const failure of failures) log(failure);
      findings.push(exactlyZero(figure, failures.length));
    }
    return findings;
  };

async function runTests(
  file: string,
  settings: Record<string, string>,
): Promise<{ ran: number; failures: string[] }> {
  const { TEST_DATABASE_URL: _, ...inherited } = process.env;
  const directory = temporaryDirectory();
  const reportFile = join(directory.path, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', file, '--reporter=json', `--outputFile=${reportFile}`],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...inherited, ...settings, TEST_LANE: 'every' },
    },
  );
  try {
    await once(child, 'exit');
    const { testResults }: TestReport = JSON.parse(readFileSync(reportFile, 'utf8'));
    const ran = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => ['passed', 'failed'].includes(status));
    // A file that cannot be loaded has no tests.
    if (ran.length === 0) throw new Error(`${file} ran no test`);
    const failures = ran
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages }) => `${title}: ${failureMessages.join('\n')}`);
    return { ran: ran.length, failures };
  } finally {
    directory.remove();
  }
}
