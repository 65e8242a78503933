import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AtriumError } from '../../src/client/atrium-error.ts';
import { createClient } from '../../src/client/client.ts';
import { errorCatalogue } from '../../src/platform/errors.ts';
import { errorOf, graphAnswerOf } from '../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { assistantOf, personIn } from '../support/assistants.ts';
import { everyCall } from '../support/calls.ts';
import { expectDocumented } from '../support/openapi.ts';
import { refusalBody } from '../support/refusal-body.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

let app: TestApp;
let owner: TestOrganization;
let plain: TestOrganization;
let server: ServedApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' });
  owner = await app.organization();
  plain = await app.organization({ features: [] });
  server = await serveApp(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

const users = '/api/user-management/v1/users';
const json = { 'content-type': 'application/json' };
type RequestInput = {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  body?: string;
};

async function send(path: string, { method = 'GET', key, headers = {}, body }: RequestInput = {}) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: Object(await answer.json()),
  };
}

describe('the body of an error', () => {
  it('The body has a code of the catalogue that fits its status, and the request id of the header', async () => {
    const first = {
      method: 'POST',
      key: owner.key,
      headers: { ...json, 'idempotency-key': 'one' },
      body: '{"name":"Once"}',
    };
    await send('/api/user-management/v1/teams', first);
    const answers = {
      BAD_INPUT: await send(`${users}?page=0`, { key: owner.key }),
      UNAUTHENTICATED: await send(users),
      FEATURE_DISABLED: await send(users, { key: plain.key }),
      FORBIDDEN: await send(`${users}/${owner.administratorId}`, {
        method: 'DELETE',
        key: owner.key,
      }),
      NOT_FOUND: await send(`${users}/unknown`, { key: owner.key }),
      METHOD_NOT_ALLOWED: await send(users, { method: 'PUT', key: owner.key }),
      CONFLICT: await send('/api/user-management/v1/teams', {
        method: 'POST',
        key: owner.key,
        headers: json,
        body: '{"name":"Once"}',
      }),
      PAYLOAD_TOO_LARGE: await app.callerWith(owner.key)('POST', users, {
        email: 'x'.repeat(1_100_000),
      }),
      UNSUPPORTED_MEDIA_TYPE: await send(users, {
        method: 'POST',
        key: owner.key,
        headers: { 'content-type': 'text/plain' },
        body: '{}',
      }),
      IDEMPOTENCY_KEY_REUSED: await send('/api/user-management/v1/teams', {
        ...first,
        body: '{"name":"Twice"}',
      }),
    } as const;
    for (const [code, { status, headers, body }] of Object.entries(answers)) {
      expect(body).toEqual(refusalBody(code as keyof typeof answers));
      expect({ code, status, requestId: body['requestId'] }).toEqual({
        code,
        status: errorCatalogue[code as keyof typeof answers].status,
        requestId: headers.get('x-request-id'),
      });
    }
  });

  it.each(everyCall.filter(({ takesBody, takesFile }) => takesBody && !takesFile))(
    'The error of $title for a body that is not JSON names the body',
    async (call) => {
      const answer = await send(call.path, {
        method: call.method,
        key: await owner.keyOf(call.key),
        headers: json,
        body: '{"name":"Spring",}',
      });
      // The access to the assistant is checked before the body of a run is read.
      if (call.template.endsWith('/run'))
        return expect(answer.body).toEqual(refusalBody('FORBIDDEN'));
      expect(answer).toMatchObject({ status: 400, body: refusalBody('BAD_INPUT') });
      expect(answer.body['errors']).toEqual([
        {
          field: 'body',
          code: 'INVALID_FORMAT',
          message: 'The body is not valid JSON at position 17',
        },
      ]);
      expectDocumented(answer, call.method, call.template);
    },
  );

  it('The body names every invalid value of the input by its field', async () => {
    const { status, body } = await send('/api/sponsorship/v1/campaigns', {
      ...{ method: 'POST', key: owner.key, headers: json },
      body: JSON.stringify({
        durationMonths: 7,
        allowedEmails: ['a@b.example', 'c'],
        includedSeats: '3',
      }),
    });
    expect(body['errors']).toEqual([
      { field: 'name', code: 'REQUIRED', message: 'name is required' },
      {
        field: 'durationMonths',
        code: 'OUT_OF_RANGE',
        message: 'durationMonths must be an integer from 1 to 6',
      },
      {
        field: 'includedSeats',
        code: 'WRONG_TYPE',
        message: 'includedSeats must be an integer from 1 to 1000, not a string',
      },
      {
        field: 'allowedEmails[1]',
        code: 'INVALID_FORMAT',
        message: 'allowedEmails[1] must be an e-mail address such as ada@example.com, but has no @',
      },
    ]);
    const { message, errors = [] } = errorOf({ status, body });
    expect(message).toBe(errors.map((error) => error.message).join('; '));
  });

  it('The body names every invalid item of a list, at most twenty', async () => {
    const post = async (path: string, key: string, value: object) =>
      errorOf(
        await send(path, { method: 'POST', key, headers: json, body: JSON.stringify(value) }),
      ).errors?.map(({ field, code }) => `${field} ${code}`);
    const campaign = { name: 'Lists', durationMonths: 1 };
    const campaigns = '/api/sponsorship/v1/campaigns';
    expect(
      await post(campaigns, owner.key, {
        ...campaign,
        allowedEmails: ['a@b.example', 'c', null, 'd@e.example', 3],
        allowedEmailDomains: ['b.example', '@b.example'],
      }),
    ).toEqual([
      'allowedEmailDomains[1] INVALID_FORMAT',
      'allowedEmails[1] INVALID_FORMAT',
      'allowedEmails[2] NOT_NULLABLE',
      'allowedEmails[4] WRONG_TYPE',
    ]);
    const many = { ...campaign, allowedEmails: Array.from({ length: 500 }, () => 'c') };
    expect(await post(campaigns, owner.key, many)).toHaveLength(20);
    expect(
      await post('/api/events/v1/endpoints', owner.key, {
        url: 'https://hooks.example.com',
        types: ['campaign.created', 'campaign.gone', 'link.gone'],
      }),
    ).toEqual(['types[1] UNKNOWN_VALUE', 'types[2] UNKNOWN_VALUE']);
    const person = await personIn(app, owner);
    expect(
      await post(`/api/assistants/v1/${await assistantOf(person)}/run`, person.key, {
        messages: [
          {},
          { role: 'user', content: 'hello' },
          { role: 'User', content: 3 },
          { role: 'user', content: [{ type: 'image' }, { type: 'text', text: '' }, null] },
          'hello',
        ],
      }),
    ).toEqual([
      'messages[0].role REQUIRED',
      'messages[0].content REQUIRED',
      'messages[2].role UNKNOWN_VALUE',
      'messages[2].content WRONG_TYPE',
      'messages[3].content[0] INVALID',
      'messages[3].content[2] INVALID',
      'messages[4] WRONG_TYPE',
    ]);
  });

  it('A list of names in the query must be one parameter, like every other parameter', async () => {
    for (const path of [
      '/api/events/v1/events?types=user.created&types=team.created',
      '/api/usage/v1/usage?groupBy=day&groupBy=model',
    ])
      expect(errorOf(await send(path, { key: owner.key })).errors).toMatchObject([
        { code: 'REPEATED', message: expect.stringContaining('must be given once, not 2 times') },
      ]);
  });

  it('The body names an invalid header and an invalid parameter', async () => {
    const fieldsOf = (answer: Awaited<ReturnType<typeof send>>) =>
      errorOf(answer).errors?.map(({ field }) => field);
    const header = { ...json, 'idempotency-key': 'with blank' };
    expect(
      fieldsOf(await send(users, { method: 'POST', key: owner.key, headers: header, body: '{}' })),
    ).toEqual(['Idempotency-Key']);
    expect(fieldsOf(await send(`${users}?page=1&page=2&pageSize=x`, { key: owner.key }))).toEqual([
      'page',
      'pageSize',
    ]);
  });
});

describe('the errors of the TypeScript client', () => {
  it('The client’s error has the code, the request id and the invalid values', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: owner.key });
    const error: unknown = await client
      .createUser({ email: 'nobody' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AtriumError);
    expect(error).toMatchObject({
      ...{ status: 400, code: 'BAD_INPUT', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      errors: [
        {
          field: 'email',
          code: 'INVALID_FORMAT',
          message: 'email must be an e-mail address such as ada@example.com, but has no @',
        },
      ],
    });
    await expect(client.getUser({ userId: 'unknown' })).rejects.toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      errors: [],
    });
  });

  it('The client’s error has a null code if a proxy sent the response', async () => {
    const client = createClient({
      baseUrl: server.url,
      apiKey: 'k',
      retries: 0,
      fetch: async () => new Response('<html>', { status: 502 }),
    });
    await expect(client.listTeams()).rejects.toMatchObject({
      status: 502,
      code: null,
      errors: [],
      requestId: null,
      message: 'Atrium answered 502',
    });
  });
});

describe('the extensions of a GraphQL error', () => {
  const ask = (query: string, variables: Record<string, unknown> = {}) =>
    send('/graphql', {
      method: 'POST',
      key: owner.key,
      headers: json,
      body: JSON.stringify({ query, variables }),
    });

  it.each([
    [
      'a wrong variable',
      'query A($size: Int) { users(pageSize: $size) { totalCount } }',
      { size: 101 },
      ['pageSize'],
    ],
    ['a wrong literal', '{ users(pageSize: 101) { totalCount } }', {}, ['pageSize']],
    [
      'a wrong variable in an input',
      'mutation A($name: String!) { createTeam(input: { name: $name }) { team { id } } }',
      { name: '' },
      ['input', 'name'],
    ],
    [
      'a wrong item of a list in an input',
      'mutation A($input: CreateCampaignInput!) { createCampaign(input: $input) { campaign { id } } }',
      { input: { name: 'A', durationMonths: 1, allowedEmails: ['a@b.example', 'c'] } },
      ['input', 'allowedEmails', 1],
    ],
    ['a document that is not GraphQL', '{ users', {}, ['query']],
    [
      'a field of an input that must not be null',
      'mutation A($name: String) { createUser(input: { email: "a@b.example", firstName: $name }) { user { id } } }',
      { name: null },
      ['input', 'firstName'],
    ],
    [
      'a rule',
      'mutation A($id: ID!) { createTeam(input: { name: "" }) { team { id } } addTeamUser(input: { teamId: $id, userId: $id }) { team { id } } }',
      { id: 'x' },
      ['input', 'name'],
    ],
  ])(
    'The error of %s has the code, the request id and the path of the argument',
    async (_, query, variables, path) => {
      const { headers, body } = await ask(query, variables);
      const [error] = graphAnswerOf({ body }).errors;
      expect(error?.extensions).toEqual({
        ...{ code: 'BAD_INPUT', requestId: headers.get('x-request-id') },
        errors: [{ path, code: expect.any(String), message: error?.message }],
      });
    },
  );

  it('An error that does not concern the input has no fields', async () => {
    const { headers, body } = await ask('{ team(teamId: "unknown") { id } }');
    expect(body['errors']).toMatchObject([
      { extensions: { code: 'NOT_FOUND', requestId: headers.get('x-request-id') } },
    ]);
    expect(JSON.stringify(body)).not.toContain('"errors":[{"path"');
  });
});
