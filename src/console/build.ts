import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { overrideEnvironment } from '../platform/env.ts';

// Builds the web app where it is missing or older than its sources, so that a fresh clone starts
// with one command and every later start loses no time.
const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = `${root}src/console/generated/app`;
const workshop = `${root}src/console/generated/${process.pid}`;
const stampFile = `${directory}/.made-from`;
const sources = [
  'package-lock.json',
  'src/console/build.ts',
  ...globSync('src/console/web/**/*.{ts,tsx,css,html,svg}', { cwd: root }).sort(),
];
const hash = createHash('sha256');
for (const source of sources) hash.update(source).update(readFileSync(root + source));
const stamp = hash.digest('hex');

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  // Whatever the server is run as: Vite would put the slow and talkative React for developers into
  // the page.
  overrideEnvironment({ NODE_ENV: 'production' });
  await build({
    configFile: false,
    root: `${root}src/console/web`,
    base: '/console/',
    logLevel: 'warn',
    build: {
      outDir: workshop,
      emptyOutDir: true,
      target: 'es2024',
      // Inlined files would be data: addresses, for which the page's policy makes room for pictures
      // only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 600,
    },
  });
  writeFileSync(`${workshop}/.made-from`, stamp);
  // Whoever starts meanwhile finds the whole of the old one or the whole of this.
  rmSync(directory, { recursive: true, force: true });
  renameSync(workshop, directory);
}
