import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileTexts } from '../console/compile-texts.ts';
import { chunkGroups, filesBySection } from '../console/split-chunks.ts';
import { overrideEnvironment } from '../platform/env.ts';
import { buildWhenChanged } from './when-changed.ts';

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

await buildWhenChanged({
  title: 'Building the console',
  directory: fileURLToPath(new URL('../console/generated/app', import.meta.url)),
  sources: [
    'package-lock.json',
    'src/build/console.ts',
    'src/console/{compile-texts,split-chunks}.ts',
    'src/console/web/**/*.{ts,tsx,css,html,svg}',
  ],
  build: buildConsole,
});

async function buildConsole(outDir: string): Promise<void> {
  const { build } = await import('vite');
  // The build always runs in production mode: in development mode Vite would bundle the slower
  // development version of React.
  overrideEnvironment({ NODE_ENV: 'production' });
  await build({
    configFile: false,
    root: fileURLToPath(new URL('../console/web', import.meta.url)),
    base: '/console/',
    logLevel: 'warn',
    plugins: [fontsForBrowsersOfToday, compileTexts],
    build: {
      outDir,
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
  const manifest = JSON.parse(readFileSync(`${outDir}/manifest.json`, 'utf8'));
  writeFileSync(`${outDir}/sections.json`, JSON.stringify(filesBySection(manifest)));
}
