import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filePart } from '../../src/rest/read-upload.ts';
import { tableCalls } from '../support/openapi.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { type Call, calls } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { type SampleRequest, sendCall } from '../support/parity/send.ts';

let app: ParityApp;
beforeAll(async () => {
  app = await parityApp();
});
afterAll(() => app.close());

const campaigns = '/api/sponsorship/v1/campaigns';
const links = '/api/sponsorship/v1/links';

/**
 * The fields of JSON bodies that can be null: null means "no maximum", "no end", "no password",
 * "no reason", "no conversation", "from the start", "no schema" or "no title". All others refuse it.
 */
const nullableFields: Readonly<Record<string, readonly string[]>> = {
  [`POST ${campaigns}`]: ['maxRedemptions', 'expiresAt', 'includedSeats'],
  [`PATCH ${campaigns}/:campaignId`]: ['maxRedemptions', 'expiresAt', 'includedSeats'],
  [`POST ${campaigns}/:campaignId/links`]: ['password'],
  [`PATCH ${links}/:linkId/password`]: ['password'],
  'PATCH /api/sponsorship/v1/redemptions/:redemptionId/extend': ['reason'],
  'POST /api/assistants/v1/:assistantId/run': ['conversationId', 'parentMessageId', 'output'],
  'POST /api/conversations/v1/conversations': ['title'],
};

const documentedFields = tableCalls.flatMap(({ method, template, call: { requestBody } }) => {
  const name = `${method} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const call = calls.find((one) => one.name === name);
  const properties = requestBody?.content['application/json']?.schema.properties ?? {};
  return Object.entries(properties)
    .filter(([field]) => field !== filePart)
    .map(([field, schema]) => ({
      ...{ call, name, field, schema },
      status: nullableFields[name]?.includes(field) ? 200 : 400,
    }));
});

const requests = new Map<Call, SampleRequest>();
/** A valid request of the call. All fields share it, because a refused request changes nothing. */
async function requestOf(call: Call): Promise<SampleRequest> {
  const [sample] = samplesOf(call);
  const request = requests.get(call) ?? (sample && { app, call, ...(await sample.start(app)) });
  if (!request) throw new Error(`add a sample of ${call.name}`);
  requests.set(call, request);
  return request;
}

describe('null in a body', () => {
  it('Every field that can be null is documented', () => {
    const documented = documentedFields.map(({ name, field }) => `${name} ${field}`);
    for (const [name, fields] of Object.entries(nullableFields))
      expect(documented).toEqual(expect.arrayContaining(fields.map((field) => `${name} ${field}`)));
  });

  it.each(documentedFields)(
    '$name with null for $field answers $status, as OpenAPI documents it',
    async ({ call, field, schema, status }) => {
      if (!call) throw new Error('the document has a call that the table lacks');
      const request = await requestOf(call);
      const variables = { ...request.variables, [field]: null };
      const answer = await sendCall({ ...request, variables });
      expect(answer.status).toBe(status);
      if (status === 400)
        expect(answer.outcome).toMatchObject({
          error: {
            code: 'BAD_INPUT',
            errors: [
              { field, code: 'NOT_NULLABLE', message: expect.stringMatching(/, not null$/) },
            ],
          },
        });
      const mayBeNull = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)]
        .flat()
        .includes('null');
      expect(mayBeNull).toBe(status === 200);
    },
  );
});
