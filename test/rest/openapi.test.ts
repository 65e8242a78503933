import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { generatedFiles, staleFiles } from '../../schema/emit.ts';
import { generateKey } from '../../src/modules/api-keys/key-format.ts';
import type { OpenApiMediaType, OpenApiResponse } from '../../src/rest/openapi/document.ts';
import { withOrigin } from '../../src/rest/openapi.ts';
import { everyCall } from '../support/calls.ts';
import { computedDocument } from '../support/computed-document.ts';
import { faultsOf, resolve } from '../support/openapi.ts';

const document = computedDocument();
const documentedCalls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'head')
    .map(([method, call]) => ({ path, method, call })),
);
/** The calls of the table of calls. The others are for OpenAI's clients, or at other addresses. */
const calls = documentedCalls.filter(
  ({ path, call }) => call.servers === undefined && !path.startsWith('/api/openai/'),
);
const isRepeatable = ({ method }: { method: string }) => ['post', 'put', 'patch'].includes(method);
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('The document is valid OpenAPI 3.1 by the official schema', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  it('The document has every route of the route table and no other', () => {
    const rows = everyCall.map(
      ({ method, template }) => `${method} ${template.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(calls.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(
      rows.toSorted(),
    );
  });

  it('Every reference resolves, and every component is referenced', () => {
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)].map(
        ([, kind, name]) => `${kind}/${name}`,
      ),
    );
    const schemes = documentedCalls
      .flatMap(({ call }) => call.security.flatMap(Object.keys))
      .map((name) => `securitySchemes/${name}`);
    const components = Object.entries(document.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`),
    );
    expect([...references, ...new Set(schemes)].toSorted()).toEqual(components.toSorted());
  });

  it('Every JSON body and every form is a named schema, and no schema has a title', () => {
    const bodies = calls.flatMap(({ call }) =>
      [call.requestBody, ...Object.values(call.responses)].flatMap((body) =>
        Object.entries((body && 'content' in body && body.content) || {}),
      ),
    );
    const unnamed = bodies.filter(
      ([type, { schema }]) => /^application\/json$|form/.test(type) && schema.$ref === undefined,
    );
    expect(bodies.length).toBeGreaterThan(calls.length);
    expect(unnamed).toEqual([]);
    const schemas = JSON.stringify(JSON.parse(text), (name, value) =>
      ['info', 'example', 'examples'].includes(name) ? undefined : value,
    );
    expect(schemas).not.toContain('"title":"');
  });

  it('Every GET has a HEAD with the same parameters, and its answers have no body', () => {
    const gets = calls.filter(({ method }) => method === 'get');
    for (const { path, call } of gets) {
      const head = document.paths[path]?.['head'];
      expect(head?.parameters).toEqual(call.parameters);
      expect(JSON.stringify(head?.responses)).not.toContain('"content"');
      expect(head?.responses['200']).toMatchObject({
        headers: Object(call.responses['200']).headers,
      });
    }
    expect(gets.length).toBeGreaterThan(5);
  });

  it('The document describes the answer to a method that a path does not have', () => {
    const reference = document['x-other-methods'][405] ?? { $ref: '' };
    const answer = resolve<OpenApiResponse>(reference, document.components.responses);
    expect(Object.keys(answer.headers)).toContain('Allow');
    expect(answer.content?.['application/json']?.examples).toHaveProperty('METHOD_NOT_ALLOWED');
  });

  it('The events of a stream are a union that the name of the event distinguishes', () => {
    const run = document.paths['/api/assistants/v1/{assistantId}/run']?.['post'];
    const answer = run?.responses['200'] && resolve(run.responses['200'], {});
    expect(answer?.content?.['text/event-stream']?.schema.$ref).toBe(
      '#/components/schemas/RunAssistantEvent',
    );
    const { oneOf, discriminator } = document.components.schemas['RunAssistantEvent'] ?? {};
    expect(discriminator?.propertyName).toBe('event');
    expect(oneOf?.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator?.mapping ?? {}));
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual([
      ...['text', 'reasoning', 'tool-call', 'tool-result', 'done', 'error'],
    ]);
    for (const [name, target] of Object.entries(discriminator?.mapping ?? {}))
      expect(
        document.components.schemas[target.split('/').at(-1) ?? '']?.properties?.['event']?.const,
      ).toBe(name);
  });

  it('Each call has the name of its operation as its id', () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(calls.length);
  });

  it('Every call, parameter and body field has a description', () => {
    for (const { call } of calls) {
      const fields = Object.values(call.requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.entries(schema.properties ?? {}),
      );
      const described = [
        ...call.parameters.map(({ name, description }) => [name, description]),
        ...fields.map(([name, field]) => [name, field.description]),
      ];
      expect([[call.operationId, call.summary], ...described].filter(([, said]) => !said)).toEqual(
        [],
      );
    }
  });

  it('Every POST, PUT and PATCH accepts an Idempotency-Key, and no other call does', () => {
    const offering = calls.filter(({ call }) =>
      call.parameters.some(
        (parameter) => parameter.name === 'Idempotency-Key' && parameter.in === 'header',
      ),
    );
    expect(offering).toEqual(calls.filter(isRepeatable));
    expect(offering.length).toBeGreaterThan(0);
  });

  it('The document names its server, its contact and its licence', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    const { info, servers } = withOrigin(document, 'https://atrium.example');
    expect(servers).toEqual([{ url: 'https://atrium.example' }]);
    expect(info.contact).toEqual({ name: 'Atrium', url: 'https://atrium.example' });
    expect(info.license).toEqual({ name: 'Proprietary', identifier: 'LicenseRef-Proprietary' });
  });

  it('Each area requires its kind of key, and the documented formats match generated keys', () => {
    expect(document.paths['/api/user-management/v1/users']?.['get']?.security).toEqual([
      { organizationKey: [] },
    ]);
    const [prefix, length] =
      document.components.securitySchemes['organizationKey']?.bearerFormat?.split(
        / \+ | letters/,
      ) ?? [];
    const { key } = generateKey('ORGANIZATION');
    expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{${length}}$`));
  });
});

describe('the examples of the document', () => {
  const faultsOfExamples = ({ schema, example, examples = {} }: OpenApiMediaType) =>
    [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map(({ value }) => value),
    ].flatMap((value) => faultsOf(schema, value, document));

  it.each(calls)(
    '$call.operationId has valid examples for its parameters, its body and its responses',
    ({ call }) => {
      for (const { name, schema, example } of call.parameters)
        expect({ name, example, faults: faultsOf(schema, example, document) }).toMatchObject({
          faults: [],
        });
      const contents = [
        call.requestBody?.content,
        ...Object.values(call.responses).map(
          (answer) => resolve(answer, document.components.responses).content,
        ),
      ];
      for (const content of contents) {
        const stream = content?.['text/event-stream'];
        if (stream) {
          expect(Object.keys(stream.examples ?? {})).toContain('done');
          expect(faultsOfExamples(stream)).toEqual([]);
        }
        const json = content?.['application/json'];
        if (!json) continue;
        expect(json.example ?? Object.keys(json.examples ?? {})[0]).toBeDefined();
        expect(faultsOfExamples(json)).toEqual([]);
      }
    },
  );

  it.each(documentedCalls.filter((documented) => !calls.includes(documented)))(
    'Each example of $call.operationId is valid',
    ({ call }) => {
      const contents = [call.requestBody, ...Object.values(call.responses)].flatMap((body) =>
        Object.values((body && 'content' in body && body.content) || {}),
      );
      for (const content of contents) expect(faultsOfExamples(content)).toEqual([]);
    },
  );

  it('A response example repeats the values of the request example, and a resource has the same id everywhere', () => {
    const added = document.paths['/api/user-management/v1/teams/{teamId}/users']?.['post'];
    const answer =
      added?.responses['200'] &&
      resolve(added.responses['200'], document.components.responses).content?.['application/json']
        ?.example;
    const teamId = added?.parameters[0]?.example;
    expect(teamId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(answer).toMatchObject({
      status: 'success',
      team: { id: teamId },
      ...Object(added?.requestBody?.content['application/json']?.example),
    });
  });

  it('The examples are the same in every run', () => {
    expect(JSON.stringify(computedDocument())).toBe(text);
  });
});

describe('the responses of the document', () => {
  const body = [400, 408, 413, 415];
  const repeatable = [...body, 409, 422];
  const always = [200, 401, 403, 417, 429, 431, 500, 503];
  it.each([
    ['ListUsers', [400]],
    ['CreateUser', repeatable],
    ['AddUser', [...repeatable, 404]],
    ['GetUser', [304, 404, 412]],
    ['RemoveUser', [404, 412]],
    ['BulkCreateUsers', repeatable],
    ['BulkExtendRedemptions', [...repeatable, 404]],
    ['BulkSetRedemptionBilling', [...repeatable, 404]],
    ['UpdateUser', [...repeatable, 404, 412]],
    ['ListTeams', [400]],
    ['GetTeam', [304, 404, 412]],
    ['UpdateTeam', [...repeatable, 404, 412]],
    ['ListTeamUsers', [400, 404]],
    ['GetCampaign', [304, 404, 412]],
    ['UpdateCampaign', [...repeatable, 404, 412]],
    ['GetLink', [304, 404, 412]],
    ['UpdateLink', [...repeatable, 404, 412]],
    ['GetRedemption', [304, 404, 412]],
    ['GetAssistant', [304, 404, 412]],
    ['CreateTeam', repeatable],
    ['DeleteTeam', [404, 412]],
    ['AddTeamUser', [...repeatable, 404]],
    ['RemoveTeamUser', [404]],
  ])('%s documents exactly the statuses that it can answer', (operationId, additional) => {
    const call = calls.find((candidate) => candidate.call.operationId === operationId)?.call;
    expect(Object.keys(call?.responses ?? {}).map(Number)).toEqual(
      [...always, ...additional].toSorted((a, b) => a - b),
    );
  });

  it('An error response describes each of its causes separately', () => {
    const refusal = document.paths['/api/user-management/v1/users']?.['post']?.responses['403'];
    expect(refusal).toMatchObject({
      description: 'Feature not enabled; or the organization has no free seat',
      content: {
        'application/json': { examples: { FEATURE_DISABLED: {}, SEAT_LIMIT_REACHED: {} } },
      },
    });
  });

  it.each(calls)(
    '$call.operationId documents the headers of every response',
    ({ method, call }) => {
      const limit = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
      for (const [status, answer] of Object.entries(call.responses)) {
        const repeatable =
          status === '200' && isRepeatable({ method }) ? ['Idempotency-Replayed'] : [];
        const rehearsed = status === '200' && method !== 'get' ? ['Preference-Applied'] : [];
        const waiting = status === '409' || status === '429' ? ['Retry-After'] : [];
        const tagged =
          ['200', '206', '304', '416'].includes(status) && '304' in call.responses ? ['ETag'] : [];
        const takesCursors = call.parameters.some(({ name }) => name === 'before');
        const linked = status === '200' && takesCursors ? ['Link'] : [];
        const partial = status === '206' || status === '416' ? ['Content-Range'] : [];
        const coded = status === '415' ? ['Accept-Encoding'] : [];
        const accepted =
          status === '202' ? ['Location', 'Idempotency-Replayed', 'Preference-Applied'] : [];
        const streamed =
          status === '200' &&
          'text/event-stream' in (resolve(answer, document.components.responses).content ?? {})
            ? ['X-Accel-Buffering']
            : [];
        const budgeted =
          status === '200' && call.operationId === 'RunAssistant'
            ? ['X-Budget-Remaining', 'X-Run-Id']
            : [];
        const additionalHeaders = [
          ...waiting,
          ...repeatable,
          ...rehearsed,
          ...tagged,
          ...linked,
          ...partial,
          ...coded,
          ...accepted,
          ...streamed,
          ...budgeted,
        ];
        // 417 and 431 are answered before the key is read.
        const isBeforeKey = status === '417' || status === '431';
        const expectedHeaders =
          status === '401'
            ? ['WWW-Authenticate']
            : isBeforeKey
              ? []
              : [...limit, ...additionalHeaders];
        expect(Object.keys(resolve(answer, document.components.responses).headers)).toEqual([
          'X-Request-Id',
          ...expectedHeaders,
        ]);
      }
    },
  );
});

describe('the emitted files', () => {
  it('The emitted files match the sources', () => {
    expect(staleFiles(generatedFiles())).toEqual([]);
  });

  it('The check reports emitted files that differ or are missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-emit-'));
    try {
      const files = { 'same.json': '{}\n', 'other.json': '{}\n', 'missing.json': '{}\n' };
      writeFileSync(join(folder, 'same.json'), '{}\n');
      writeFileSync(join(folder, 'other.json'), '{ }\n');
      expect(staleFiles(files, pathToFileURL(`${folder}/`))).toEqual([
        'other.json',
        'missing.json',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('Every emitted file begins with a note that it is generated', () => {
    const { 'schema.graphql': sdl = '', 'openapi.json': json = '' } = generatedFiles();
    expect(sdl.split('\n')[0]).toBe('# Generated by npm run codegen; do not edit.');
    expect(Object.entries(JSON.parse(json))[0]).toEqual([
      'x-generated',
      'by npm run codegen; do not edit',
    ]);
  });
});
