import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { withErrorTables } from '../deploy/error-tables.ts';
import { withSettings } from '../deploy/settings-table.ts';
import packageJson from '../package.json' with { type: 'json' };
import { graphLimits } from '../src/graph/document/limits.ts';
import { jsonBytesMax } from '../src/http/body.ts';
import { jsonLevelsMax } from '../src/http/json-depth.ts';
import { readVaultConfig } from '../src/vault/config.ts';
import { readLimits } from '../src/vault/extract/read-document.ts';
import { withProofs } from './proof/record.ts';
import { anchorsOf, documentationPages, type MarkdownPage } from './support/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = documentationPages();

function pageOf(file: string): MarkdownPage {
  const page = pages.find((candidate) => candidate.file === file);
  if (!page) throw new Error(`There is no page ${file}`);
  return page;
}

const textOf = (file: string) => pageOf(file).text.replaceAll(/\s+/g, ' ');
const withoutInlineCode = (text: string) => text.replaceAll(/`[^`\n]*`/g, '');

/** The targets of the links and pictures of a page that lead into the repository. */
function internalTargets({ file, prose }: MarkdownPage): { path: string; anchor: string }[] {
  return [...withoutInlineCode(prose).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? file : normalize(join(dirname(file), path)), anchor };
    });
}

describe('The documentation', () => {
  it('The README has at most 150 lines', () => {
    expect(pageOf('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('Lines have at most 120 characters outside tables and code', () => {
    const long = pages.flatMap(({ file, prose }) =>
      prose
        .split('\n')
        .filter((line) => [...line].length > 120 && !/^\s*(\||<!--|!\[)/.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  it('Every link leads to a file or a heading that exists', () => {
    const broken = pages.flatMap((page) =>
      internalTargets(page)
        .filter(({ path, anchor }) => {
          if (!existsSync(root + path)) return true;
          const target = pages.find(({ file }) => file === path);
          return anchor !== '' && target !== undefined && !anchorsOf(target).has(anchor);
        })
        .map(({ path, anchor }) => `${page.file}: ${path}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('Every page of docs is linked from another page', () => {
    const linked = new Set(
      pages.flatMap((page) =>
        internalTargets(page)
          .map(({ path }) => path)
          .filter((path) => path !== page.file),
      ),
    );
    const pagesOfDocs = pages.map(({ file }) => file).filter((file) => file.startsWith('docs/'));
    expect(pagesOfDocs.filter((file) => !linked.has(file))).toEqual([]);
  });

  it('Every file that a page names exists in a fresh clone', () => {
    // SECURITY.md names tests by their path below test/, and `npm run client` makes the other directory.
    const named = pages.flatMap(({ file, prose }) =>
      [...prose.matchAll(/`((?:src|test|schema|prisma|deploy)\/[\w./-]+)`/g)].map(
        ([, path = '']) => ({ file, path }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter(
        ({ path }) =>
          path !== 'src/client/dist' &&
          (path.includes('/generated/') ||
            (!existsSync(root + path) && !existsSync(`${root}test/${path}`))),
      ),
    ).toEqual([]);
  });

  it('Every name of code in the architecture pages exists in the sources', () => {
    const sources = globSync(
      ['src/**/*.{ts,tsx}', 'schema/*.graphql', 'prisma/**/*.{prisma,sql}'],
      {
        cwd: root,
      },
    )
      .map((file) => readFileSync(root + file, 'utf8'))
      .join('\n');
    const words = new Set(sources.match(/\w+/g));
    const named = pages
      .filter(({ file }) => /^docs\/architecture\/[\w-]+\.md$/.test(file))
      .flatMap(({ file, prose }) =>
        [...prose.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, name = '']) => ({ file, name })),
      );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !words.has(name))).toEqual([]);
  });

  it('Every script that a page names exists', () => {
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(packageJson.scripts)).toContain(script);
  });

  it.each([
    ['docs/operate/settings.md', withSettings, '| `PORT` |'],
    ['docs/api/errors.md', withErrorTables, '| `BAD_INPUT` |'],
    ['docs/proofs.md', withProofs, '| faults/stop |'],
  ])('The tables of %s are current', (file, withTables, cell) => {
    const { text } = pageOf(file);
    expect(withTables(text)).toBe(text);
    const stale = text.replace(cell, '| something else |');
    expect(stale).not.toBe(text);
    expect(withTables(stale)).toBe(text);
  });

  it('The limits that the pages give are the limits of the code', () => {
    const number = (value: number) => value.toLocaleString('en');
    const limits = textOf('docs/guides/errors-limits-retries.md');
    const {
      documentCharacters,
      tokens,
      fieldsWritten,
      fieldsExpanded,
      depth,
      rootFields,
      aliases,
      directives,
      cost,
    } = graphLimits;
    for (const sentence of [
      `A JSON body has at most ${number(jsonBytesMax)} bytes and at most ${jsonLevelsMax} levels`,
      `at most ${number(documentCharacters)} characters, ${number(tokens)} tokens, ${fieldsWritten} fields as written and ${number(fieldsExpanded)} fields`,
      `${depth} levels, ${rootFields} root fields, ${aliases} aliases and ${directives} directives`,
      `at most ${number(cost)} values`,
    ])
      expect(limits).toContain(sentence);
    const { extraction } = readVaultConfig({
      env: { DATA_DIR: ':memory:' },
      variables: {},
      secret: 'a-secret-of-the-test',
    });
    expect(textOf('docs/operate/vault.md')).toContain(
      `reads at most ${number(extraction.pagesMax)} pages of a PDF`,
    );
    expect(readLimits).toMatchObject({
      pagesMax: extraction.pagesMax,
      partsMax: extraction.partsMax,
    });
  });

  it('Every decision number in the sources has an entry among the decisions', () => {
    const sources = globSync(
      [
        'src/**/*.{ts,tsx,graphql}',
        'test/**/*.ts',
        'schema/**/*.graphql',
        'prisma/**/*.{ts,prisma,sql}',
      ],
      { cwd: root, exclude: ['**/generated', '**/node_modules'] },
    ).map((file) => readFileSync(root + file, 'utf8'));
    const texts = [...sources, ...pages.map(({ text }) => text)];
    const numbers = new Set(texts.flatMap((text) => text.match(/\bD\d+[a-z]?\b/g) ?? []));
    const entries = new Set(
      pages
        .filter(({ file }) => file.startsWith('docs/architecture/decisions/'))
        .flatMap((page) => [...anchorsOf(page)]),
    );
    expect(numbers.size).toBeGreaterThan(40);
    expect([...numbers].filter((number) => !entries.has(number.toLowerCase()))).toEqual([]);
  });

  it('Every GraphQL example is valid in the schema', () => {
    const schema = buildSchema(readFileSync(`${root}schema/schema.graphql`, 'utf8'));
    const examples = pages.flatMap(({ file, codeBlocks }) =>
      codeBlocks
        .filter(({ language }) => language === 'graphql')
        .map(({ code }) => ({ file, code })),
    );
    expect(examples.length).toBeGreaterThanOrEqual(5);
    const faults = examples.flatMap(({ file, code }) =>
      validate(schema, parse(code)).map(({ message }) => `${file}: ${message}`),
    );
    expect(faults).toEqual([]);
  });
});
