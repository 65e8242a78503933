import { globSync, readFileSync } from 'node:fs';

/**
 * `unit`: only calls functions. `application`: needs a database or a server in its own process.
 * `exhaustive`: opens a browser, starts programs, goes through every call, or takes long for another
 * reason. `proof`: kills processes again and again, and is run by the proof of the same name.
 */
export type Lane = 'unit' | 'application' | 'exhaustive' | 'proof';

/** Modules of test/support that start neither a server, a database, a process nor a browser. */
const lightSupport = new Set([
  'amplifiers',
  'calls',
  'computed-document',
  'console-texts',
  'markdown',
  'message-arguments',
  'office-files',
  'openapi',
  'pdf-file',
  'quiet-log',
  'read-blocks',
  'read-files',
  'runs',
]);

/** The test files of these lanes. */
export const testFiles = (...lanes: Lane[]): string[] =>
  globSync('test/**/*.test.ts', { exclude: ['test/peers/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => lanes.includes(laneOf(file)))
    .sort();

/** What only tests of the exhaustive lane use. */
const exhaustiveUse =
  /support\/(?:browser|calls|parity\/[\w-]+)\.ts'|rest\/routes\.ts'|\bstart(?:ForTest)?\(|serverProgram\(|startOwnServer\(/;

/** Races in many rounds, hostile files, large amounts of data: each takes a quarter of a minute. */
export const longFiles: ReadonlySet<string> = new Set(
  [
    'access/held-requests',
    'changed-modes',
    'commands/backup',
    'modules/accounts/setup/setup',
    'modules/assistant-files/content-while-changing',
    'modules/audit/sealing-races',
    'modules/budgets/budget-races',
    'modules/sponsorship/invitations/link-invitations',
    'modules/sponsorship/redeeming/redemption-model',
    'modules/sponsorship/redeeming/redemption-password',
    'modules/sponsorship/redeeming/redemption-races',
    'modules/sponsorship/redemptions/export',
    'modules/sponsorship/statements/statement-pdf',
    'modules/webhooks/delivering',
    'modules/webhooks/webhooks',
    'platform/database/embedded',
    'platform/database/hanging',
    'platform/database/lists/concurrent-changes',
    'platform/database/migrations',
    'rest/refused-bodies',
    'vault/extract/amplification',
    'vault/extract/hostile-documents',
    'vault/extract/hostile-texts',
    'vault/extract/ocr/recognize',
    'vault/extract/ocr/sandboxed',
    'vault/extract/sandbox',
    'vault/ingest/documents',
    'vault/ingest/kinds',
    'vault/refused-bodies',
    'vault/vector-db/growth',
    'vault/vector-db/move-vectors',
  ].map((name) => `test/${name}.test.ts`),
);

export function laneOf(file: string): Lane {
  if (file.startsWith('test/proof/')) return 'proof';
  const text = readFileSync(file, 'utf8');
  if (longFiles.has(file) || exhaustiveUse.test(text)) return 'exhaustive';
  const support = [...text.matchAll(/from '[./]*\/support\/([^']+)\.ts'/g)];
  return support.every(([, name = '']) => lightSupport.has(name)) &&
    !/node:child_process|createServer|\.listen\(|openDatabase|openPglite|playwright/.test(text)
    ? 'unit'
    : 'application';
}

/**
 * The lanes that TEST_LANE selects; by default all without the proofs. Who names files or folders
 * wants them whatever their lane is.
 */
export function selectedLanes(
  selection: string | undefined,
  commandLine: readonly string[] = [],
): Lane[] {
  const namesFiles = commandLine.some(
    (argument, at) => argument.startsWith('test/') && commandLine[at - 1] !== '--exclude',
  );
  if (namesFiles || selection === 'every') return ['unit', 'application', 'exhaustive', 'proof'];
  if (selection === 'unit') return ['unit'];
  if (selection === 'application') return ['unit', 'application'];
  return ['unit', 'application', 'exhaustive'];
}
