import { globSync, readFileSync } from 'node:fs';

/** Modules of test/support that start neither a server, a database, a process nor a browser. */
const lightSupport = new Set([
  'amplifiers',
  'calls',
  'computed-document',
  'markdown',
  'office-files',
  'openapi',
  'pdf-file',
  'quiet-log',
  'read-blocks',
  'read-files',
  'runs',
]);

/** The test files that `npm run test:unit` runs: those that only call functions. */
export function unitTests(): string[] {
  return globSync('test/**/*.test.ts', { exclude: ['test/contract/**'] }).filter((file) => {
    const text = readFileSync(file, 'utf8');
    const support = [...text.matchAll(/from '[./]*\/support\/([^']+)\.ts'/g)];
    return (
      support.every(([, name = '']) => lightSupport.has(name)) &&
      !/node:child_process|createServer|\.listen\(|openDatabase|openPglite|playwright/.test(text)
    );
  });
}
