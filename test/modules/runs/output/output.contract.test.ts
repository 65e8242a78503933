import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assistantOf } from '../../../support/assistants.ts';
import { type RunApp, runApp } from '../../../support/run-app.ts';

let setting: RunApp;
let path: string;
beforeAll(async () => {
  setting = await runApp();
  path = `/api/assistants/v1/${setting.assistantId}/run`;
});
afterAll(() => setting.close());

const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const schema = {
  type: 'object',
  properties: { days: { type: 'integer' } },
  required: ['days'],
  additionalProperties: false,
};
const run = (body: object, headers: Record<string, string> = {}) =>
  setting.owner.call('POST', path, { messages, ...body }, headers);

/** The events of a response without comments. */
const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\S+)\ndata: (.*)$/s.exec(block) ?? [];
      return { event, data };
    });

describe('A run with output', () => {
  it('The answer has the value as output beside the text', async () => {
    setting.searchThenAnswer('{"days":30}');
    const answer = await run({ output: { schema } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ output: { days: 30 }, text: '{"days":30}' });
  });

  it('Without output the field is null, and the id of the run is in the body and the header', async () => {
    setting.provider.now(() => ({ text: 'Hello.' }));
    const answer = await run({});
    expect(answer.body).toMatchObject({ output: null, text: 'Hello.' });
    expect(answer.body['runId']).toBe(answer.headers.get('x-run-id'));
    expect(answer.body['runId']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('A form sends output as JSON in a field', async () => {
    setting.provider.now(() => ({ text: '{"days":30}' }));
    const form = new FormData();
    form.append('messages', JSON.stringify(messages));
    form.append('output', JSON.stringify({ schema }));
    form.append('files', new File(['Vacation: 30 days.'], 'notes.txt', { type: 'text/plain' }));
    const response = await fetch(`${setting.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${setting.owner.key}` },
      body: form,
    });
    expect(await response.json()).toMatchObject({ output: { days: 30 } });
  });

  it('A stream has one event of text, and the output at its end', async () => {
    setting.provider.now((_, call) => ({ text: call === 1 ? '{"days":"30"}' : '{"days":30}' }));
    const response = await fetch(`${setting.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${setting.owner.key}`, accept: 'text/event-stream' },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ messages, output: { schema } }),
    });
    const events = eventsIn(await response.text());
    expect(events.map(({ event }) => event)).toEqual(['text', 'done']);
    expect(JSON.parse(events[0]?.data ?? '')).toEqual({ text: '{"days":30}' });
    expect(JSON.parse(events[1]?.data ?? '')).toMatchObject({
      output: { days: 30 },
      runId: response.headers.get('x-run-id'),
    });
  });

  it('The graph takes and returns the same', async () => {
    setting.provider.now(() => ({ text: '{"days":30}' }));
    const mutation = `mutation ($input: RunAssistantInput!) {
      runAssistant(input: $input) { run { runId output } } }`;
    const input = {
      assistantId: setting.assistantId,
      messages: [{ user: 'How many days?' }],
      output: { schema },
    };
    const { data } = await setting.owner.graph(mutation, { input });
    expect(data).toEqual({
      runAssistant: { run: { runId: expect.any(String), output: { days: 30 } } },
    });
  });

  it('An answer that stays invalid is 502 OUTPUT_INVALID, with its usage in the record', async () => {
    setting.provider.now(() => ({ text: '{"days":"thirty"}' }));
    const answer = await run({ output: { schema } });
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('#/days'),
    });
    const record = await setting.app.database.prisma.run.findFirstOrThrow({
      where: { id: answer.headers.get('x-run-id') ?? '' },
    });
    expect(record).toMatchObject({
      ...{ state: 'FAILED', errorCode: 'OUTPUT_INVALID', stepCount: 3 },
      ...{ promptTokens: 30, completionTokens: 15 },
    });
  });

  it.each([
    [{}, 'output.schema'],
    [{ schema: null }, 'output.schema'],
    [{ schema: 'object' }, 'output.schema'],
    [{ schema: { type: 'text' } }, 'output.schema.type'],
    [{ schema: { $ref: 'https://example.com/schema' } }, 'output.schema.$ref'],
    [{ schema: { description: 'x'.repeat(70_000) } }, 'output.schema'],
  ])(
    'A wrong output is 400, names the field, and the model is not called',
    async (output, field) => {
      setting.provider.now(() => ({ text: '{}' }));
      const answer = await run({ output });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'BAD_INPUT', errors: [{ field }] });
      expect(setting.provider.requests).toHaveLength(0);
    },
  );

  it('The built-in model cannot give it: 400, before a run starts', async () => {
    const assistantId = await assistantOf(setting.owner, { model: 'atrium-extractive' });
    const answer = await setting.owner.call('POST', `/api/assistants/v1/${assistantId}/run`, {
      ...{ messages, output: { schema } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'BAD_INPUT', errors: [{ field: 'output' }] });
    expect(answer.headers.get('x-run-id')).toBeNull();
  });

  it('A dry run asks no model, and has no output', async () => {
    setting.provider.now(() => ({ text: '{"days":30}' }));
    const answer = await run({ output: { schema } }, { prefer: 'dry-run' });
    expect(answer.body).toMatchObject({
      output: null,
      text: 'This is a dry run. The model was not asked.',
    });
    expect(setting.provider.requests).toHaveLength(0);
  });
});
