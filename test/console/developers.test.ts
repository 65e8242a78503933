import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Kind, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printQuery, toCurl, toRestCurl } from '../../src/console/web/developers/program-text.ts';
import { restCalls, restCallsFor } from '../../src/console/web/developers/rest-calls.ts';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  ownDocuments,
  type TestConsole,
} from '../support/browser.ts';

const root = new URL('../../', import.meta.url);
const execute = promisify(execFile);

/**
 * Runs a pasted command in a shell, with the key in the environment variable that the page names.
 */
async function runInShell(line: string, key: string): Promise<Record<string, unknown>> {
  const { stdout } = await execute('bash', ['-c', line.replace('curl', 'curl -s')], {
    env: { ...process.env, ATRIUM_KEY: key },
  });
  return Object(JSON.parse(stdout));
}

describe('REST calls for GraphQL queries', () => {
  type Documented = { get?: { operationId: string; parameters?: { name: string; in: string }[] } };
  const { paths }: { paths: Record<string, Documented> } = JSON.parse(
    readFileSync(new URL('schema/openapi.json', root), 'utf8'),
  );
  const folders: Record<string, string> = {
    assistants: 'assistants',
    'assistant-files': 'assistant-files',
    sponsorship: 'sponsorship',
  };

  it.each(Object.entries(restCalls))(
    'The field %s has a documented REST call with the same field and arguments',
    (field, call) => {
      const documented = paths[call.path]?.get;
      const documentedArguments =
        documented?.parameters
          // `format` chooses the form of the answer; it is no argument of the field.
          ?.filter((parameter) => parameter.in !== 'header' && parameter.name !== 'format')
          .map(({ name }) => name) ?? [];
      expect(documentedArguments.toSorted()).toEqual(call.arguments.toSorted());
      const area = call.path.split('/')[2] ?? '';
      const file = (documented?.operationId ?? '').replaceAll(
        /[A-Z]/g,
        (letter, index: number) => (index > 0 ? '-' : '') + letter.toLowerCase(),
      );
      const text = readFileSync(
        new URL(`schema/operations/${folders[area] ?? area}/${file}.graphql`, root),
        'utf8',
      );
      const [operation] = parse(text).definitions;
      const selections =
        operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
      expect(
        selections.map((selection) => selection.kind === Kind.FIELD && selection.name.value),
      ).toEqual([field]);
    },
  );

  it.each([
    [
      '{ users(page: 2, search: "é&=") { totalCount } }',
      {},
      ['/api/user-management/v1/users?page=2&search=%C3%A9%26%3D'],
    ],
    [
      'query ($id: ID!) { user(userId: $id) { id } teams { nodes { id } } }',
      { id: 'a/b' },
      ['/api/user-management/v1/users/a%2Fb', '/api/user-management/v1/teams'],
    ],
    [
      'query ($size: Int! = 7) { users(pageSize: $size, search: null) { totalCount } }',
      {},
      ['/api/user-management/v1/users?pageSize=7'],
    ],
    ['{ campaigns(search: "x") { totalCount } }', {}, []],
    [
      '{ campaigns(status: ACTIVE) { totalCount } }',
      {},
      ['/api/sponsorship/v1/campaigns?status=active'],
    ],
    ['query ($is: Boolean!) { teams @include(if: $is) { nodes { id } } }', { is: true }, []],
    ['{ user { id } }', {}, []],
    ['{ toString viewer { kind } }', {}, []],
    ['mutation { users { id } }', {}, []],
  ])('The query %s with %j is equal to the REST calls %j', (query, variables, expected) => {
    expect(restCallsFor(parse(query), variables).map(({ path }) => path)).toEqual(expected);
  });
});

describeInBrowser('the developers page', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  let key: string;

  beforeAll(async () => {
    site = await openConsole({ ...ownDocuments, ORGANIZATION_KEY_LIMIT: '321' });
    organization = await site.app.organization();
    key = await organization.keyOf('USER_KEY');
    await assistantOf(
      { graph: (query, variables) => site.app.graph(key, query, variables) },
      { name: 'Ann’s “assistant”' },
    );
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  it('The page shows a first call with the server’s address and the person’s assistant, rate limits and IDs, also on a phone', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/developers`);
    const start = page.getByRole('region', { name: 'Quick start' });
    await start.waitFor();
    const { data } = await site.app.graph(key, '{ assistants { nodes { id } } }');
    const [assistant] = Object(data?.['assistants']).nodes;
    await expect
      .poll(() => start.textContent())
      .toContain(`${site.origin}/api/assistants/v1/${assistant.id}/run`);
    await expect
      .poll(() => page.getByRole('region', { name: 'Rate limits' }).textContent())
      .toMatch(/321.*10,000/);
    await expect
      .poll(() => page.getByRole('region', { name: 'Your IDs' }).textContent())
      .toContain(organization.id);
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessibleInBoth(page);
  });

  it('The examples run in a shell unchanged', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/developers`);
    const call = page.getByRole('figure', { name: /Send the request/ }).getByRole('code');
    await page.getByLabel('Example').selectOption({ label: 'GraphQL' });
    expect(await runInShell((await call.textContent()) ?? '', key)).toMatchObject({
      data: { viewer: { kind: 'USER_KEY' } },
    });
    await page.getByLabel('Example').selectOption({ label: 'User Management' });
    expect(await runInShell((await call.textContent()) ?? '', organization.key)).toMatchObject({
      status: 'success',
      total: 1,
    });
    await page
      .getByLabel('Example')
      .selectOption({ label: 'curl', exact: true } as { label: string });
    // The server has no model, so the call fails, but not because of its form.
    expect(await runInShell((await call.textContent()) ?? '', key)).not.toMatchObject({
      message: expect.stringMatching(/JSON|messages|key|path/),
    });
  });

  it('The page links to the API reference, the OpenAPI document, and GraphiQL, which uses the session', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/developers`);
    for (const [name, part] of [
      ['API reference', 'reference'],
      ['OpenAPI document', '"openapi"'],
    ] as const) {
      const href = await page.getByRole('link', { name }).getAttribute('href');
      const answer = await page.request.get(site.origin + href);
      expect([name, answer.status()]).toEqual([name, 200]);
      expect((await answer.text()).toLowerCase()).toContain(part);
    }
    await page.goto(
      site.origin + (await page.getByRole('link', { name: 'GraphiQL' }).getAttribute('href')),
    );
    const result = await page.evaluate(async () => {
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ viewer { kind } }"}',
      });
      return answer.json();
    });
    expect(result).toEqual({ data: { viewer: { kind: 'SESSION' } } });
  });

  it('Every page can show its requests as GraphQL and as a curl command that works with a key', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/developers`);
    await page.getByRole('region', { name: 'Quick start' }).waitFor();
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Show this page as GraphQL and curl' }).click();
    const dialog = page.getByRole('dialog', { name: 'API calls of this page' });
    const shown = (label: RegExp) => dialog.getByRole('figure', { name: label }).first();
    expect(
      await shown(/^GraphQL/)
        .getByRole('code')
        .textContent(),
    ).toBe(
      printQuery(
        parse(readFileSync(new URL('src/console/web/developers/developers.graphql', root), 'utf8')),
      ),
    );
    const line = (await shown(/^curl/).getByRole('code').textContent()) ?? '';
    expect(await runInShell(line, key)).toMatchObject({
      data: {
        rateLimits: { organizationKey: 321 },
        assistants: { nodes: [{ name: 'Ann’s “assistant”' }] },
      },
    });
    const rest =
      (await shown(/^REST, with a user key/)
        .getByRole('code')
        .textContent()) ?? '';
    expect(await runInShell(rest, key)).toMatchObject({
      assistants: [{ name: 'Ann’s “assistant”' }],
    });
    await shown(/^curl/).getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('The list of requests shows those of the current page only', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/developers`);
    await page.getByRole('region', { name: 'Quick start' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Your assistants' }).waitFor();
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Show this page as GraphQL and curl' }).click();
    const dialog = page.getByRole('dialog', { name: 'API calls of this page' });
    await dialog.getByText('Home', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByText('Developers', { exact: true }).count()).toBe(0);
  });

  it('A curl command passes any text through the shell unchanged', async () => {
    const text = `it's "quoted" $HOME \`id\` !! \\ \n\t é 🦊 '; echo broken #`;
    const query = 'query ($name: String!) { __type(name: $name) { name } viewer { kind } }';
    const line = toCurl({ origin: site.origin, query, variables: { name: text } });
    expect(await runInShell(line, key)).toEqual({
      data: { __type: null, viewer: { kind: 'USER_KEY' } },
    });
    const rest = toRestCurl({
      origin: site.origin,
      path: `/api/user-management/v1/users?${new URLSearchParams({ search: text })}`,
    });
    expect(await runInShell(rest, organization.key)).toMatchObject({
      status: 'success',
      users: [],
    });
  });

  it('The API reference has the OpenAI-compatible interface and the vault, and marks the current call while the page scrolls', async () => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 320, height: 640 },
    ]) {
      const page = await site.page({ ...viewport });
      await page.goto(`${site.origin}/api/docs`);
      const calls = page.getByRole('navigation', { name: 'Calls' });
      for (const name of ['OpenAI', 'Vault'])
        await calls
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .first()
          .waitFor();
      expect(await page.locator('body').innerText()).not.toContain('`');
      const current = () => calls.locator('[aria-current]').allTextContents();
      for (const id of ['CreateCampaign', 'CreateChatCompletion', 'VaultHealth', 'keys']) {
        const target = page.locator(`[id="${id}"]`);
        await target.evaluate((element) => element.scrollIntoView({ block: 'start' }));
        const expected = await calls.locator(`a[href="#${id}"]`).textContent();
        await expect.poll(current).toEqual([expected]);
      }
      if (viewport.width > 1000)
        expect(
          await calls.evaluate((nav) => {
            const link = nav.querySelector('[aria-current]')?.getBoundingClientRect();
            const frame = nav.getBoundingClientRect();
            return link && link.top >= frame.top && link.bottom <= frame.bottom;
          }),
        ).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      );
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe(
        'rgb(26, 32, 41)',
      );
    }
  });

  it('GraphiQL opens with the query of the last visit, shows errors without a stack, and fits on a phone', async () => {
    const page = await site.page({ as: organization.administratorId });
    const editor = page.locator('.graphiql-editor').first();
    const response = page.locator('.graphiql-response');
    const run = page.getByRole('button', { name: /^Execute query/ });
    await page.goto(`${site.origin}/graphql`);
    const icon = await page.locator('link[rel="icon"]').getAttribute('href');
    expect((await page.request.get(site.origin + icon)).status()).toBe(200);
    await expect.poll(() => editor.textContent()).toContain('AvailableOperations');
    await page.reload();
    await expect.poll(() => editor.textContent()).toContain('AvailableOperations');
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Broken { viewer { kind } } }');
    await expect.poll(() => page.url()).toContain('Broken');
    await run.click();
    await expect.poll(() => response.textContent()).toMatch(/Syntax\sError/);
    expect(await response.textContent()).not.toContain('stack');
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Mine { viewer { kind } }');
    await expect.poll(() => page.url()).toContain('Mine');
    await page.reload();
    await expect.poll(() => editor.textContent()).toContain('Mine');
    await page.setViewportSize({ width: 360, height: 740 });
    await run.click();
    await expect.poll(() => response.textContent()).toContain('SESSION');
    const [above, below] = [await editor.boundingBox(), await response.boundingBox()];
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    expect(below?.width).toBeGreaterThan(250);
  });

  it('A server without GraphiQL has no link to it, and the page names the setting that enables it', async () => {
    const closed = await openConsole({ GRAPHIQL: 'false' });
    const { administratorId } = await closed.app.organization();
    const page = await closed.page({ as: administratorId });
    await page.goto(`${closed.origin}/developers`);
    await page.getByText('the setting GRAPHIQL enables it').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
    expect(closed.faults).toEqual([]);
    await closed.close();
  });

  it('A person without an organization can open the page', async () => {
    const { id } = await site.app.database.prisma.user.create({
      data: { id: 'alone', email: 'alone@nowhere.example' },
    });
    await site.app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const page = await site.page({ as: id });
    await page.goto(`${site.origin}/developers`);
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Quick start' }).count()).toBe(0);
    await expectAccessibleInBoth(page);
  });
});

describe('watchOperations', () => {
  it('Recorded operations contain no password, secret or token at any depth', async () => {
    Object.assign(globalThis, { location: { pathname: '/settings', origin: 'http://x' } });
    const { pageOperations, watchOperations } = await import(
      '../../src/console/web/developers/watch-operations.ts'
    );
    const { Client, fetchExchange, gql } = await import('@urql/core');
    const client = new Client({
      url: 'http://x.invalid/graphql',
      exchanges: [watchOperations, fetchExchange],
      preferGetMethod: false,
      fetch: async () => Response.json({ data: {} }),
    });
    const change = gql(
      'mutation Change($password: String, $input: JSON, $name: String) { change(password: $password, input: $input, name: $name) }',
    );
    await client
      .mutation(change, {
        password: 'secret-1',
        input: { linkToken: 'secret-2', resetPassword: 'secret-3' },
        name: 'visible',
      })
      .toPromise();
    const [operation] = pageOperations();
    expect(operation?.variables).toEqual({
      password: '…',
      input: { linkToken: '…', resetPassword: '…' },
      name: 'visible',
    });
    expect(JSON.stringify(pageOperations())).not.toContain('secret-');
  });
});
