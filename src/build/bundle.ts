import { relative } from 'node:path';
import type { Plugin } from 'vite';

type BundleInput = {
  sources: string;
  /** Where the bundle will be started, which is not where it is written. */
  directory: string;
  outDir: string;
  /** Files, or files by the name that they get in the bundle. */
  input: string[] | Record<string, string>;
  /** Packages that the bundle loads from node_modules. */
  external: string[];
  plugins: Plugin[];
  /** The new address of a file that is bundled as well; absent: files stay beside the source. */
  bundledAddress?: (path: string) => string | undefined;
};

/** Bundles programs for Node with the packages that they import. */
export async function bundle({
  sources,
  directory,
  outDir,
  input,
  external,
  plugins,
  bundledAddress = () => undefined,
}: BundleInput): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: sources,
    logLevel: 'warn',
    ssr: { noExternal: true, external },
    plugins: [...plugins, addressesOfSources(directory, bundledAddress)],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input,
        output: {
          format: 'esm',
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
        },
      },
    },
  });
}

/** Adapts addresses that are relative to a source, because a bundle is in another directory. */
const addressesOfSources = (
  directory: string,
  bundledAddress: (path: string) => string | undefined,
) => ({
  name: 'addresses-of-sources',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.endsWith('.ts') || !code.includes('import.meta')) return undefined;
    const source = `new URL('${relative(directory, id)}', import.meta.url).href`;
    return code.replaceAll(
      /new URL\('([^']*)', import\.meta\.url\)|import\.meta\.url|import\.meta\.main/g,
      (address, path: string | undefined) => {
        if (address === 'import.meta.main') return 'false';
        if (path === undefined) return source;
        const bundled = bundledAddress(path);
        return bundled === undefined
          ? `new URL('${path}', ${source})`
          : `new URL('${bundled}', import.meta.url)`;
      },
    );
  },
});
