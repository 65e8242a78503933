import { globSync, readFileSync } from 'node:fs';

/** The lane of a test file: the command that runs it when TEST_LANE names no other. */
export type Lane = 'unit' | 'application' | 'proof';

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

/**
 * `unit`: only calls functions; `proof`: kills processes again and again, and is run by the proof
 * of the same name; `application`: everything else.
 */
export function laneOf(file: string): Lane {
  if (file.startsWith('test/proof/')) return 'proof';
  if (file.startsWith('test/contract/')) return 'application';
  const text = readFileSync(file, 'utf8');
  const support = [...text.matchAll(/from '[./]*\/support\/([^']+)\.ts'/g)];
  return support.every(([, name = '']) => lightSupport.has(name)) &&
    !/node:child_process|createServer|\.listen\(|openDatabase|openPglite|playwright/.test(text)
    ? 'unit'
    : 'application';
}

/** The lanes that TEST_LANE selects; by default those of `npm test`. */
export const selectedLanes = (selection: string | undefined): Lane[] => {
  if (selection === 'unit') return ['unit'];
  if (selection === 'every') return ['unit', 'application', 'proof'];
  return ['unit', 'application'];
};
