import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { overrideEnvironment } from '../platform/env.ts';
import { compileTexts } from './compile-texts.ts';
import { chunkGroups, filesBySection } from './split-chunks.ts';

// Builds the web app when its output is missing or older than its sources: a fresh clone starts
// with one command, and later starts do not pay for a build.
const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = `${root}src/console/generated/app`;
const temporaryDirectory = `${root}src/console/generated/${process.pid}`;
const sourceHashFile = `${directory}/.made-from`;
const sources = [
  'package-lock.json',
  'src/console/build.ts',
  'src/console/compile-texts.ts',
  'src/console/split-chunks.ts',
  ...globSync('src/console/web/**/*.{ts,tsx,css,html,svg}', { cwd: root }).sort(),
];
const hash = createHash('sha256');
for (const source of sources) hash.update(source).update(readFileSync(root + source));
const sourceHash = hash.digest('hex');

/**
 * The style sheet of KaTeX names each font in three formats. Every browser that can run the console
 * reads the first one.
 */
const fontsForBrowsersOfToday = {
  name: 'fonts-for-browsers-of-today',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/katex.css')
      ? code.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)/g, '')
      : undefined,
};

if (!existsSync(sourceHashFile) || readFileSync(sourceHashFile, 'utf8') !== sourceHash) {
  process.stderr.write('Building the console\n');
  const { build } = await import('vite');
  // The build always runs in production mode: in development mode Vite would bundle the slower
  // development version of React.
  overrideEnvironment({ NODE_ENV: 'production' });
  await build({
    configFile: false,
    root: `${root}src/console/web`,
    base: '/console/',
    logLevel: 'warn',
    plugins: [fontsForBrowsersOfToday, compileTexts],
    build: {
      outDir: temporaryDirectory,
      emptyOutDir: true,
      target: 'es2024',
      // Vite would inline small files as data: URLs. The content security policy allows those for
      // images only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: 'manifest.json',
      rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
      // What draws pages of PDFs, loaded with the first one.
      chunkSizeWarningLimit: 1_700,
    },
  });
  const manifest = JSON.parse(readFileSync(`${temporaryDirectory}/manifest.json`, 'utf8'));
  writeFileSync(`${temporaryDirectory}/sections.json`, JSON.stringify(filesBySection(manifest)));
  writeFileSync(`${temporaryDirectory}/.made-from`, sourceHash);
  // The new build is written to another directory and takes the place of the old one at the end, so
  // that a server never reads a half-written build. The old one is deleted last.
  const oldDirectory = `${temporaryDirectory}-old`;
  if (existsSync(directory)) renameSync(directory, oldDirectory);
  renameSync(temporaryDirectory, directory);
  rmSync(oldDirectory, { recursive: true, force: true });
}
