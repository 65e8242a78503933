import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/graph/execute/execute.ts';
import { loadTrustedDocuments } from '../../../src/graph/trusted/trusted-documents.ts';
import { schema } from '../../../src/schema.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const consoleFile = 'src/console/trusted-documents.json';
const executor = createExecutor(schema);
const load = (path: string, introspection = true) =>
  loadTrustedDocuments({ consoleFile, path, executor, introspection });
const folderWith = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const flat = (...texts: string[]) =>
  JSON.stringify(Object.fromEntries(texts.map((text) => [sha256(text), text])));
const apollo = (operations: object[], version = 1) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version, operations });

const query = 'query Teams { teams { nodes { name } } }';
const mutation = 'mutation Add { createTeam(input: { name: "a" }) { team { id } } }';

describe('manifests of trusted documents', () => {
  it('A folder has all documents of its manifests, in both formats, and each of them once', () => {
    const folder = folderWith({
      'a.json': flat(query),
      'b.json': apollo([
        { id: sha256(query), body: query, name: 'Teams', type: 'query' },
        { id: sha256(mutation), body: mutation, name: 'Add', type: 'mutation' },
      ]),
      'notes.txt': 'ignored',
    });
    const trusted = load(folder);
    expect(trusted.textOf(sha256(query))).toBe(query);
    expect(trusted.textOf(sha256(mutation))).toBe(mutation);
    expect(trusted.documentOf(`${query} `)).toBeUndefined();
  });

  it('The documents of the console are trusted under the hashes of their texts, and valid', () => {
    const manifest: Record<string, string> = JSON.parse(readFileSync(consoleFile, 'utf8'));
    const { isTrusted, textOf } = loadTrustedDocuments({
      ...{ consoleFile, path: undefined, executor, introspection: false },
    });
    expect(Object.keys(manifest).length).toBeGreaterThan(80);
    for (const [hash, text] of Object.entries(manifest)) {
      expect([isTrusted(text), textOf(sha256(text))]).toEqual([true, text]);
      expect(hash).toBe(sha256(text));
    }
    expect(() => load(consoleFile, false)).not.toThrow();
  });

  it('Queries are compiled when they are loaded', () => {
    const { documentOf } = load(join(folderWith({ 'a.json': flat(query, mutation) }), 'a.json'));
    const isCompiled = [query, mutation].map((text) => {
      const document = documentOf(text);
      return document && executor.isCompiled(document);
    });
    expect(isCompiled).toEqual([true, false]);
  });

  it('Introspection is only trusted where it is on', () => {
    const file = join(folderWith({ 'a.json': flat('{ __schema { types { name } } }') }), 'a.json');
    expect(() => load(file)).not.toThrow();
    expect(() => load(file, false)).toThrow('introspection has been disabled');
  });

  it.each([
    ['text that is not JSON', '{', 'is not JSON'],
    ['another JSON', '[]', 'is an object of hashes and documents'],
    ['another version', apollo([], 2), 'apollo-persisted-query-manifest of version 1'],
    ['a hash of another kind', JSON.stringify({ '5c3e': query }), 'the id 5c3e is no SHA-256 hash'],
    [
      'a hash of another document',
      JSON.stringify({ [sha256(mutation)]: query }),
      `the id ${sha256(mutation)} is not the SHA-256 hash of its document`,
    ],
    ['a text that is no document', flat('query {'), 'is invalid: Syntax Error'],
    [
      'a field that the schema lacks',
      flat('query Lost {\n  teams { nodes { colour } }\n}'),
      /the document [0-9a-f]{64} \(Lost\) is invalid: .*"colour".*\(line 2, column 19\)$/,
    ],
    [
      'a literal out of bounds',
      flat('{ teams(pageSize: 1000) { totalCount } }'),
      /is invalid: .*pageSize.*100/,
    ],
    [
      'more fields than a document may have',
      flat(`{ teams { nodes { ${'id '.repeat(401)} } } }`),
      'more than 400 fields',
    ],
    ['more characters', flat(`${query}${' '.repeat(20_000)}`), 'more than 20000 characters'],
  ])('A manifest with %s is an error that names the file and the fault', (_, text, message) => {
    const folder = folderWith({ 'broken.json': text });
    expect(() => load(folder)).toThrow(message);
    expect(() => load(folder)).toThrow(join(folder, 'broken.json'));
  });

  it('A path without a manifest is an error that names the setting', () => {
    const folder = folderWith({});
    expect(() => load(folder)).toThrow(`GRAPHQL_DOCUMENTS: the folder ${folder} has no manifest`);
    expect(() => load(join(folder, 'absent'))).toThrow(
      `GRAPHQL_DOCUMENTS: ${join(folder, 'absent')} cannot be read`,
    );
    const folderAsFile = folderWith({});
    mkdirSync(join(folderAsFile, 'folder.json'));
    expect(() => load(folderAsFile)).toThrow(
      `${join(folderAsFile, 'folder.json')} cannot be read. ${join(folderAsFile, 'folder.json')} is a directory`,
    );
  });
});
