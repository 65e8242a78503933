import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openAiOperations } from '../src/rest/openai/openai-handler.ts';
import { areas } from '../src/rest/routes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync('src/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (name) => ['generated', 'documents.ts', 'documented-calls.ts'].includes(name),
}).map((file) => ({
  file,
  text: readFileSync(root + file, 'utf8'),
}));

/**
 * Which folder may know which; nobody knows the client, which goes into other programs. Files
 * directly under src/ wire everything and nobody imports them.
 */
const mayImport: Record<string, string[]> = {
  platform: [],
  vault: ['platform'],
  graph: ['platform'],
  modules: ['platform', 'graph'],
  rest: ['platform', 'graph'],
  console: ['platform'],
  client: [],
};

/** What the API knows of the vault, which may run elsewhere: how to speak to it. */
const openVaultFiles = ['src/vault/client.ts', 'src/vault/passage.ts'];

const folderOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '');
const importsOf = ({ file, text }: { file: string; text: string }) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    relative(root, resolve(root, dirname(file), target)),
  );

describe('the tree', () => {
  it.each(sources)('$file imports only what its folder may know', (source) => {
    const folder = folderOf(source.file);
    if (folder === '')
      return expect(
        sources.filter(
          (other) => folderOf(other.file) !== '' && importsOf(other).includes(source.file),
        ),
      ).toEqual([]);
    const mayKnow = (target: string) =>
      [folder, ...(mayImport[folder] ?? [])].includes(folderOf(target)) ||
      (folder === 'modules' && openVaultFiles.includes(target));
    const foreign = importsOf(source).filter((target) => !mayKnow(target));
    expect(foreign).toEqual([]);
  });

  it('a section of the console knows the kit, the graph and who is signed in, and no other section', () => {
    const web = 'src/console/web/';
    const shared = ['ui', 'graph', 'session'];
    // The frame opens the dialog that shows a page's questions, which are noted where they are
    // asked; and every section ends in one page.
    const open = [
      'developers/this-page.tsx',
      'developers/watch-operations.ts',
      'frame/not-found.tsx',
    ].map((file) => web + file);
    const sectionOf = (file: string) =>
      file.startsWith(web) && file.slice(web.length).includes('/')
        ? file.slice(web.length).split('/')[0]
        : undefined;
    const strays = sources.flatMap((source) => {
      const section = sectionOf(source.file);
      if (section === undefined) return [];
      const mayKnow = (target: string) =>
        target.startsWith(web) && [section, ...shared].includes(sectionOf(target) ?? '');
      return importsOf(source)
        .filter((target) => !mayKnow(target) && !open.includes(target))
        .map((target) => `${source.file} → ${target}`);
    });
    expect(strays).toEqual([]);
  });

  it('only env.ts reads the environment', () => {
    expect(
      sources
        .filter(
          ({ file, text }) => !file.startsWith('src/console/web/') && text.includes('process.env'),
        )
        .map(({ file }) => file),
    ).toEqual(['src/platform/env.ts']);
  });

  it('No imports form a cycle, not even imports of types', () => {
    const importsByFile = new Map(sources.map((source) => [source.file, importsOf(source)]));
    const finished = new Set<string>();
    const cycles: string[] = [];
    const follow = (file: string, path: readonly string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (finished.has(file) || path.includes(file)) return;
      for (const target of importsByFile.get(file) ?? []) follow(target, [...path, file]);
      finished.add(file);
    };
    for (const file of importsByFile.keys()) follow(file, []);
    expect(cycles).toEqual([]);
  });

  // Counted in characters, so that the width of lines makes no difference.
  it('No file is longer than 15,000 characters', () => {
    expect(sources.filter(({ text }) => text.length > 15_000).map(({ file }) => file)).toEqual([]);
  });

  it('rules know nothing of GraphQL', () => {
    const rules = sources.filter(
      ({ file }) =>
        file.startsWith('src/modules/') &&
        !file.endsWith('.graphql.ts') &&
        !file.endsWith('email-address.ts'),
    );
    expect(
      rules
        .filter(({ text }) => /from '(graphql|@pothos|.*builder\.ts)/.test(text))
        .map(({ file }) => file),
    ).toEqual([]);
  });
});

describe('operations', () => {
  const files = globSync('schema/operations/*/*.graphql', { cwd: root });

  it('each file is named after the one operation it holds', () => {
    for (const file of files) {
      const [, name = ''] =
        /^(?:query|mutation|subscription) (\w+)/m.exec(readFileSync(root + file, 'utf8')) ?? [];
      const kebab = name.replaceAll(
        /[A-Z]/g,
        (letter, index: number) => (index > 0 ? '-' : '') + letter.toLowerCase(),
      );
      expect(file.endsWith(`/${kebab}.graphql`)).toBe(true);
    }
  });

  it('each file is served by a row or by the door for clients of OpenAI, and each row has its own', () => {
    const served = areas.flatMap(({ routes }) =>
      routes.flatMap(({ operation, check = [], stream = [] }) =>
        [operation, check, stream].flat().map((file) => `schema/operations/${file}.graphql`),
      ),
    );
    expect(
      [
        ...served,
        ...Object.values(openAiOperations).map((file) => `schema/operations/${file}.graphql`),
      ].toSorted(),
    ).toEqual(files.toSorted());
  });
});
