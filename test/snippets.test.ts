import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentationPages, type MarkdownPage } from './support/markdown.ts';
import { nodes } from './support/nodes.ts';
import { type RunningServer, start, temporaryDirectory } from './support/process.ts';

// Marks above a code block of the documentation:
//   <!-- run by test/snippets.test.ts; prints: some text -->   runs the shell block, and expects the text in the output
//   <!-- saved as ask.mjs by test/snippets.test.ts -->         saves the block for the shell blocks of the same page
//   <!-- trusted by test/snippets.test.ts -->                  adds the GraphQL block to the trusted documents of the server
//   <!-- sent with KEY by test/snippets.test.ts -->            sends the GraphQL block with the user key, or with ORG_KEY

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const runMark = /^run by test\/snippets\.test\.ts(?:; prints: (.+))?$/;
const saveMark = /^saved as ([\w-]+\.mjs) by test\/snippets\.test\.ts$/;
const trustMark = /^trusted by test\/snippets\.test\.ts$/;
const sendMark = /^sent with (KEY|ORG_KEY) by test\/snippets\.test\.ts$/;

const pages = documentationPages();
const blocksWith = ({ codeBlocks }: MarkdownPage, mark: RegExp) =>
  codeBlocks.flatMap(({ marker, code }) => {
    const found = mark.exec(marker);
    return found ? [{ found: found[1] ?? '', code }] : [];
  });
const pagesWith = (mark: RegExp) => pages.filter((page) => blocksWith(page, mark).length > 0);

// Not spawnSync: the server would wait until somebody reads its log.
const runProgram = promisify(execFile);

describe('The snippets of the documentation', () => {
  const directories: { path: string; remove: () => void }[] = [];
  const directory = () => {
    const made = temporaryDirectory();
    directories.push(made);
    return made.path;
  };
  let server: RunningServer;
  let keys: { KEY: string; ORG_KEY: string };

  beforeAll(async () => {
    const manifest = join(directory(), 'documents.json');
    const trusted = pages
      .flatMap((page) => blocksWith(page, trustMark))
      .map(({ code }) => code.trim());
    writeFileSync(
      manifest,
      JSON.stringify(Object.fromEntries(trusted.map((text) => [hash('sha256', text), text]))),
    );
    server = await start({
      ...{ DATA_DIR: directory(), GRAPHQL_DOCUMENTS: manifest },
      // All pages are sent with one key, in less than a minute on a fast machine.
      ORGANIZATION_KEY_LIMIT: '1000',
    });
    const keyOf = (pattern: RegExp) => pattern.exec(server.output())?.[1] ?? '';
    keys = {
      KEY: keyOf(/admin .* key (sk_svc_\w+)/),
      ORG_KEY: keyOf(/organization key +(sk_svc_um_\w+)/),
    };
    await runProgram('npm', ['run', 'client']);
  });
  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
    for (const made of directories) made.remove();
  });

  /** Runs all shell blocks of a page as one script, in a directory where packages and sources are found. */
  async function runPage(page: MarkdownPage, node: string): Promise<string> {
    const folder = directory();
    for (const name of ['src', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
    const local = (text: string) => text.replaceAll('http://127.0.0.1:4000', server.address);
    for (const { found, code } of blocksWith(page, saveMark))
      writeFileSync(join(folder, found), local(code));
    const script = blocksWith(page, runMark)
      .map(({ code }) => local(code))
      .join('\n');
    const options = {
      cwd: folder,
      env: {
        ...process.env,
        ...keys,
        ATRIUM: server.address,
        PATH: `${dirname(node)}:${process.env['PATH']}`,
      },
      timeout: 120_000,
    };
    const { stdout, stderr } = await runProgram('bash', ['-c', script], options).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return stdout + stderr;
  }

  const runs = pagesWith(runMark).flatMap((page) =>
    // The JavaScript of the documentation must run on every Node.
    nodes.slice(0, pagesWith(saveMark).includes(page) ? nodes.length : 1).map((node) => ({
      file: page.file,
      page,
      node: node.file,
      major: node.major,
    })),
  );

  it.each(runs)(
    'The snippets of $file print what the page says, with Node $major',
    async ({ page, node }) => {
      const output = await runPage(page, node);
      const expected = blocksWith(page, runMark).flatMap(({ found }) =>
        found === '' ? [] : found.split('; prints: '),
      );
      expect(expected.length).toBeGreaterThan(0);
      for (const text of expected) expect(output).toContain(text);
    },
  );

  it.each(
    pagesWith(sendMark).flatMap((page) =>
      blocksWith(page, sendMark).map(({ found: key, code }) => ({
        name: /query (\w+)/.exec(code)?.[1],
        key: key === 'KEY' ? ('KEY' as const) : ('ORG_KEY' as const),
        query: code,
      })),
    ),
  )('The query $name is answered without an error', async ({ key, query }) => {
    const answer = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[key]}` },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await answer.json();
    expect(errors).toBeUndefined();
    expect(data).toBeTruthy();
  });
});
