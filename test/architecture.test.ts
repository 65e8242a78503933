import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openAiOperations } from '../src/rest/openai/operations.ts';
import { areas } from '../src/rest/routes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync('src/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (name) => ['dist', 'generated', 'documents.ts', 'documented-calls.ts'].includes(name),
}).map((file) => ({
  file,
  text: readFileSync(root + file, 'utf8'),
}));

/**
 * The folders that each folder may import. The client is used by other programs, so no folder
 * imports it. The commands are programs: they use the domain, and no folder imports them. Files
 * directly under src/ wire everything together, and no other file imports them.
 */
const allowedFolders: Record<string, string[]> = {
  platform: [],
  http: ['platform'],
  vault: ['platform', 'http'],
  access: ['platform', 'http'],
  graph: ['platform', 'http', 'access'],
  modules: ['platform', 'http', 'access', 'graph'],
  rest: ['platform', 'http', 'access', 'graph'],
  console: ['platform', 'http'],
  build: ['platform', 'console'],
  commands: ['platform', 'modules', 'vault'],
  client: [],
};

/** The files of the vault that the API may import: its client. */
const publicVaultFiles = ['src/vault/client.ts', 'src/vault/passage.ts'];

const folderOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '');
const importsOf = ({ file, text }: { file: string; text: string }) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    relative(root, resolve(root, dirname(file), target)),
  );

describe('the source tree', () => {
  it.each(sources)('$file imports only from allowed folders', (source) => {
    const folder = folderOf(source.file);
    if (folder === '')
      return expect(
        sources.filter(
          (other) => folderOf(other.file) !== '' && importsOf(other).includes(source.file),
        ),
      ).toEqual([]);
    const isAllowed = (target: string) =>
      [folder, ...(allowedFolders[folder] ?? [])].includes(folderOf(target)) ||
      (folder === 'modules' && publicVaultFiles.includes(target));
    const foreign = importsOf(source).filter((target) => !isAllowed(target));
    expect(foreign).toEqual([]);
  });

  it('a console section imports only shared folders and no other section', () => {
    const web = 'src/console/web/';
    const shared = ['ui', 'graph', 'session', 'texts'];
    // The frame opens the dialog with a page's GraphQL operations, which are recorded where they
    // are sent; every section ends with the "not found" page; and the server and the console protect
    // CSV against formulas, and cut names, by the same rules.
    const open = [
      `${web}developers/this-page.tsx`,
      `${web}developers/watch-operations.ts`,
      `${web}frame/not-found.tsx`,
      'src/platform/csv.ts',
      'src/platform/cut-text.ts',
    ];
    const sectionOf = (file: string) =>
      file.startsWith(web) && file.slice(web.length).includes('/')
        ? file.slice(web.length).split('/')[0]
        : undefined;
    const violations = sources.flatMap((source) => {
      const section = sectionOf(source.file);
      if (section === undefined) return [];
      const isAllowed = (target: string) =>
        target.startsWith(web) && [section, ...shared].includes(sectionOf(target) ?? '');
      return importsOf(source)
        .filter((target) => !isAllowed(target) && !open.includes(target))
        .map((target) => `${source.file} → ${target}`);
    });
    expect(violations).toEqual([]);
  });

  // Its process may read no other file of Atrium (src/vault/extract/sandbox.ts).
  it('the program that reads documents loads only files of the vault, of word meanings and of image headers', () => {
    const textOf = new Map(sources.map(({ file, text }) => [file, text]));
    const loaded = new Set([
      'src/vault/extract/sandbox-entry.ts',
      'src/vault/extract/reader-program.ts',
    ]);
    for (const file of loaded) {
      const text = (textOf.get(file) ?? '').replaceAll(/^import type [^;]*;/gm, '');
      for (const target of importsOf({ file, text })) loaded.add(target);
    }
    expect(loaded.size).toBeGreaterThan(20);
    const isReadable = (file: string) =>
      /^src\/(vault\/|platform\/language\/|platform\/image-header\.ts$)/.test(file);
    expect([...loaded].filter((file) => !isReadable(file))).toEqual([]);
  });

  it('only env.ts reads process.env', () => {
    expect(
      sources
        .filter(
          ({ file, text }) => !file.startsWith('src/console/web/') && text.includes('process.env'),
        )
        .map(({ file }) => file),
    ).toEqual(['src/platform/env.ts']);
  });

  it('only the scope of Prisma is set by a transaction of Prisma, and rules have their own', () => {
    const users = sources.filter(({ text }) => text.includes('prisma.$transaction'));
    expect(users.map(({ file }) => file)).toEqual(['src/platform/database/scoped-prisma.ts']);
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

  it('rule files import nothing of GraphQL', () => {
    const rules = sources.filter(
      ({ file }) => file.startsWith('src/modules/') && !file.endsWith('.graphql.ts'),
    );
    const isOfGraphQL = (source: (typeof sources)[number]) =>
      /from '(graphql|@pothos)/.test(source.text) ||
      importsOf(source).some(
        (target) => target.startsWith('src/graph/') || target.endsWith('.graphql.ts'),
      );
    expect(rules.filter(isOfGraphQL).map(({ file }) => file)).toEqual([]);
  });

  // The reading and limiting of a document, its execution, and the schema are steps of a request.
  it('the rooms of the graph import only what comes before them', () => {
    const allowedRooms: Record<string, string[]> = {
      schema: ['generated'],
      document: ['schema'],
      execute: ['document', 'schema'],
      trusted: ['document', 'execute', 'schema'],
      generated: [],
    };
    const roomOf = (file: string) => /^src\/graph\/(\w+)\//.exec(file)?.[1];
    const violations = sources.flatMap((source) => {
      const room = roomOf(source.file);
      const allowed = room === undefined ? undefined : [room, ...(allowedRooms[room] ?? [])];
      return importsOf(source)
        .filter((target) => target.startsWith('src/graph/'))
        .filter((target) => allowed && !allowed.includes(roomOf(target) ?? ''))
        .map((target) => `${source.file} → ${target}`);
    });
    expect(violations).toEqual([]);
  });
});

describe('operation files', () => {
  const files = globSync('schema/operations/*/*.graphql', { cwd: root });

  it('each operation file is named after its single operation', () => {
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

  it('each operation file is used by exactly one REST route or OpenAI-compatible call', () => {
    const operationFiles = areas.flatMap(({ routes }) =>
      routes.flatMap(({ operation, check = [], stream = [], rows = [], durable }) =>
        [operation, check, stream, rows, durable?.operation ?? []]
          .flat()
          .map((file) => `schema/operations/${file}.graphql`),
      ),
    );
    expect(
      [
        ...operationFiles,
        ...Object.values(openAiOperations).map((file) => `schema/operations/${file}.graphql`),
      ].toSorted(),
    ).toEqual(files.toSorted());
  });
});
