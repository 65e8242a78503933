import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Kind, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlOf, graphqlOf, restCurlOf } from '../../src/console/web/developers/program-text.ts';
import { restCalls, restCallsFor } from '../../src/console/web/developers/rest-calls.ts';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

const root = new URL('../../', import.meta.url);
const execute = promisify(execFile);

/** What a shell makes of a line that somebody pasted, with the key where the page says. */
async function pasted(line: string, key: string): Promise<Record<string, unknown>> {
  const { stdout } = await execute('bash', ['-c', line.replace('curl', 'curl -s')], {
    env: { ...process.env, ATRIUM_KEY: key },
  });
  return Object(JSON.parse(stdout));
}

describe('REST beside GraphQL', () => {
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
    '%s is answered by a documented call, which asks that very field with those arguments',
    (field, call) => {
      const documented = paths[call.path]?.get;
      const told =
        documented?.parameters
          ?.filter((parameter) => parameter.in !== 'header')
          .map(({ name }) => name) ?? [];
      expect(told.toSorted()).toEqual(call.arguments.toSorted());
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
      const asked =
        operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
      expect(
        asked.map((selection) => selection.kind === Kind.FIELD && selection.name.value),
      ).toEqual([field]);
    },
  );

  it.each([
    [
      '{ users(page: 2, search: "é&=") { total } }',
      {},
      ['/api/user-management/v1/users?page=2&search=%C3%A9%26%3D'],
    ],
    [
      'query ($id: ResourceId!) { user(userId: $id) { id } teams { id } }',
      { id: 'a/b' },
      ['/api/user-management/v1/users/a%2Fb', '/api/user-management/v1/teams'],
    ],
    [
      'query ($size: PageSize! = 7) { users(pageSize: $size, search: null) { total } }',
      {},
      ['/api/user-management/v1/users?pageSize=7'],
    ],
    ['{ campaigns(search: "x") { total } }', {}, []],
    [
      '{ campaigns(status: active) { total } }',
      {},
      ['/api/sponsorship/v1/campaigns?status=active'],
    ],
    ['query ($is: Boolean!) { teams @include(if: $is) { id } }', { is: true }, []],
    ['{ user { id } }', {}, []],
    ['{ toString viewer { kind } }', {}, []],
    ['mutation { users { id } }', {}, []],
  ])(
    '%s with %j has the same as %j, and nothing that says less or more',
    (query, variables, expected) => {
      expect(restCallsFor(parse(query), variables).map(({ path }) => path)).toEqual(expected);
    },
  );
});

describeInBrowser('the page for developers', () => {
  let people: TestConsole;
  let us: TestOrganization;
  let key: string;

  beforeAll(async () => {
    people = await openConsole({ ORGANIZATION_KEY_LIMIT: '321' });
    us = await people.app.organization();
    key = await us.keyOf('USER_KEY');
    await assistantOf(
      { graph: (query, variables) => people.app.graph(key, query, variables) },
      { name: 'Ann’s “assistant”' },
    );
  });
  afterAll(async () => {
    expect(people.faults).toEqual([]);
    await people.close();
  });

  it('gives a first call with this address and one’s own assistant, keys, limits and ids, in light, dark and on a phone', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(`${people.origin}/developers`);
    const start = page.getByRole('region', { name: 'Quick start' });
    await start.waitFor();
    const { data } = await people.app.graph(key, '{ assistants { id } }');
    const [assistant] = Object(data?.['assistants']);
    await expect
      .poll(() => start.textContent())
      .toContain(`${people.origin}/api/assistants/v1/${assistant.id}/run`);
    await expect
      .poll(() => page.getByRole('region', { name: 'Limits' }).textContent())
      .toMatch(/321.*10,000/);
    await expect
      .poll(() => page.getByRole('region', { name: 'Your ids' }).textContent())
      .toContain(us.id);
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessibleInBoth(page);
  });

  it('gives examples that a shell runs as they stand', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(`${people.origin}/developers`);
    const call = page.getByRole('figure', { name: /The call/ }).getByRole('code');
    await page.getByLabel('Example').selectOption({ label: 'GraphQL' });
    expect(await pasted((await call.textContent()) ?? '', key)).toMatchObject({
      data: { viewer: { kind: 'USER_KEY' } },
    });
    await page.getByLabel('Example').selectOption({ label: 'User Management' });
    expect(await pasted((await call.textContent()) ?? '', us.key)).toMatchObject({
      status: 'success',
      total: 1,
    });
    await page
      .getByLabel('Example')
      .selectOption({ label: 'curl', exact: true } as { label: string });
    // No model is set here; that the call is understood is what counts.
    expect(await pasted((await call.textContent()) ?? '', key)).not.toMatchObject({
      message: expect.stringMatching(/JSON|messages|key|path/),
    });
  });

  it('leads to the reference, to the document for generators, and to GraphiQL, which asks with the session', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(`${people.origin}/developers`);
    for (const [name, part] of [
      ['API reference', 'reference'],
      ['OpenAPI document', '"openapi"'],
    ] as const) {
      const href = await page.getByRole('link', { name }).getAttribute('href');
      const answer = await page.request.get(people.origin + href);
      expect([name, answer.status()]).toEqual([name, 200]);
      expect((await answer.text()).toLowerCase()).toContain(part);
    }
    await page.goto(
      people.origin + (await page.getByRole('link', { name: 'GraphiQL' }).getAttribute('href')),
    );
    const asked = await page.evaluate(async () => {
      const answer = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ viewer { kind } }"}',
      });
      return answer.json();
    });
    expect(asked).toEqual({ data: { viewer: { kind: 'SESSION' } } });
  });

  it('shows what any page has asked, as GraphQL and as a line that a shell runs with a key', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(`${people.origin}/developers`);
    await page.getByRole('region', { name: 'Quick start' }).waitFor();
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('button', { name: 'This page as GraphQL / as curl' }).click();
    const dialog = page.getByRole('dialog', { name: 'This page for programs' });
    const shown = (label: RegExp) => dialog.getByRole('figure', { name: label }).first();
    expect(
      await shown(/^GraphQL/)
        .getByRole('code')
        .textContent(),
    ).toBe(
      graphqlOf(
        parse(readFileSync(new URL('src/console/web/developers/developers.graphql', root), 'utf8')),
      ),
    );
    const line = (await shown(/^curl/).getByRole('code').textContent()) ?? '';
    expect(await pasted(line, key)).toMatchObject({
      data: { rateLimits: { organizationKey: 321 }, assistants: [{ name: 'Ann’s “assistant”' }] },
    });
    const rest =
      (await shown(/^REST, with a user key/)
        .getByRole('code')
        .textContent()) ?? '';
    expect(await pasted(rest, key)).toMatchObject({ assistants: [{ name: 'Ann’s “assistant”' }] });
    await shown(/^curl/).getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows on another page what that one asks, and no more what the page before did', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(`${people.origin}/developers`);
    await page.getByRole('region', { name: 'Quick start' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Your assistants' }).waitFor();
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('button', { name: 'This page as GraphQL / as curl' }).click();
    const dialog = page.getByRole('dialog', { name: 'This page for programs' });
    await dialog.getByText('Home', { exact: true }).waitFor();
    await expect.poll(() => dialog.getByText('Developers', { exact: true }).count()).toBe(0);
  });

  it('any text at all comes through the shell as it was', async () => {
    const text = `it's "quoted" $HOME \`id\` !! \\ \n\t é 🦊 '; echo broken #`;
    const query = 'query ($name: String!) { __type(name: $name) { name } viewer { kind } }';
    const line = curlOf({ origin: people.origin, query, variables: { name: text } });
    expect(await pasted(line, key)).toEqual({
      data: { __type: null, viewer: { kind: 'USER_KEY' } },
    });
    const rest = restCurlOf({
      origin: people.origin,
      path: `/api/user-management/v1/users?${new URLSearchParams({ search: text })}`,
    });
    expect(await pasted(rest, us.key)).toMatchObject({ status: 'success', users: [] });
  });

  it('leads to no GraphiQL where that is switched off, and says which setting does it', async () => {
    const closed = await openConsole({ GRAPHIQL: 'false' });
    const { administratorId } = await closed.app.organization();
    const page = await closed.page({ as: administratorId });
    await page.goto(`${closed.origin}/developers`);
    await page.getByText('the setting GRAPHIQL switches it on').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
    expect(closed.faults).toEqual([]);
    await closed.close();
  });

  it('is a page for somebody without an organization as well', async () => {
    const { id } = await people.app.database.prisma.user.create({
      data: { id: 'alone', email: 'alone@nowhere.example' },
    });
    await people.app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const page = await people.page({ as: id });
    await page.goto(`${people.origin}/developers`);
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Quick start' }).count()).toBe(0);
    await expectAccessibleInBoth(page);
  });
});

describe('what is remembered of what a page did', () => {
  it('holds no password, secret or token, however deep it stood', async () => {
    Object.assign(globalThis, { location: { pathname: '/settings', origin: 'http://x' } });
    const { shownOperations, watchOperations } = await import(
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
        name: 'kept',
      })
      .toPromise();
    const [operation] = shownOperations();
    expect(operation?.variables).toEqual({
      password: '…',
      input: { linkToken: '…', resetPassword: '…' },
      name: 'kept',
    });
    expect(JSON.stringify(shownOperations())).not.toContain('secret-');
  });
});
