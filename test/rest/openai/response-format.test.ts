import OpenAI, { BadRequestError, InternalServerError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { assistantOf } from '../../support/assistants.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

let setting: RunApp;
let client: OpenAI;
let model: string;
beforeAll(async () => {
  setting = await runApp();
  model = setting.assistantId;
  const baseURL = `${setting.url}/api/openai/v1`;
  client = new OpenAI({ apiKey: setting.owner.key, baseURL, maxRetries: 0 });
});
afterAll(() => setting.close());

const messages = [{ role: 'user' as const, content: 'How many days of vacation do I get?' }];
const format = zodResponseFormat(
  z.object({ days: z.int(), hint: z.string().nullable() }),
  'answer',
);
const create = (format: unknown) =>
  client.chat.completions.create({
    ...{ model, messages },
    response_format: Object(format),
  });
const refusalOf = (format: unknown) => create(format).catch((error: unknown) => error);

describe('response_format of the OpenAI-compatible interface', () => {
  it('The client’s own helper parses the answer', async () => {
    setting.searchThenAnswer('{"days":30,"hint":null}', { text: 'I look it up.' });
    const completion = await client.chat.completions.parse({
      ...{ model, messages, response_format: format },
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ days: 30, hint: null });
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    const [request] = setting.provider.requests;
    expect(JSON.stringify(request?.response_format)).toContain('"title":"answer"');
  });

  it('The client’s own helper for streams gets one piece of text, which is valid', async () => {
    setting.provider.now((_, call) => ({
      text: call === 1 ? '{"days":"thirty"}' : '{"days":30,"hint":"full time"}',
    }));
    const stream = client.chat.completions.stream({ model, messages, response_format: format });
    const pieces: string[] = [];
    stream.on('content', (piece) => pieces.push(piece));
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.parsed).toEqual({ days: 30, hint: 'full time' });
    expect(pieces).toEqual(['{"days":30,"hint":"full time"}']);
  });

  it('json_object requests any object, and text is the default', async () => {
    setting.provider.now((_, call) => ({ text: call === 1 ? '[1]' : '{"a":1}' }));
    const completion = await create({ type: 'json_object' });
    expect(completion.choices[0]?.message.content).toBe('{"a":1}');
    setting.provider.now(() => ({ text: 'Hello.' }));
    expect((await create({ type: 'text' })).choices[0]?.message.content).toBe('Hello.');
  });

  it('An answer that stays invalid is 502 output_invalid', async () => {
    setting.provider.now(() => ({ text: 'no JSON' }));
    const error = await refusalOf(format);
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 502, code: 'output_invalid', type: 'server_error' });
  });

  const jsonSchema = (fields: object) => ({ type: 'json_schema', json_schema: fields });
  it.each([
    [{ type: 'xml' }, 'response_format.type'],
    [jsonSchema({ schema: {} }), 'response_format.json_schema.name'],
    [jsonSchema({ name: 'a b', schema: {} }), 'response_format.json_schema.name'],
    [jsonSchema({ name: 'a', schema: [] }), 'response_format.json_schema.schema'],
    [
      jsonSchema({ name: 'a', schema: { properties: { b: { type: 'text' } } } }),
      'response_format.json_schema.schema.properties.b.type',
    ],
    [
      jsonSchema({ name: 'a', schema: { $ref: 'https://example.com/s' } }),
      'response_format.json_schema.schema.$ref',
    ],
  ])('The format %j is 400 with the name %s, and the model is not called', async (sent, param) => {
    setting.provider.now(() => ({ text: 'Hello.' }));
    const error = await refusalOf(sent);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(setting.provider.requests).toHaveLength(0);
  });

  it('The built-in model is refused with the name response_format', async () => {
    const builtIn = await assistantOf(setting.owner, { model: 'atrium-extractive' });
    const error = await client.chat.completions
      .create({ model: builtIn, messages, response_format: format })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, param: 'response_format' });
  });
});
