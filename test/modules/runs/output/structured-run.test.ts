import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutputChecker } from '../../../../src/modules/runs/output/check-output.ts';
import type { FinishedStep } from '../../../../src/modules/runs/run-steps.ts';
import {
  type ModelProvider,
  type ModelTurn,
  modelProvider,
} from '../../../support/model-provider.ts';
import { passage, runOf, textOfEvents } from '../../../support/runs.ts';

let provider: ModelProvider;
let settings: Record<string, string>;
const checker = createOutputChecker({ warn: () => undefined });

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  settings = { MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k', MODEL_DEFAULT: 'large' };
});
afterAll(async () => {
  await checker.close();
  await provider.close();
});

const schema = {
  type: 'object',
  properties: { days: { type: 'integer' }, source: { type: 'string' } },
  required: ['days'],
  additionalProperties: false,
};
const valid = '{"days":30}';
const turns =
  (...list: ModelTurn[]) =>
  (_: unknown, call: number): ModelTurn =>
    list[call - 1] ?? { text: 'no more turns' };
const search = { name: 'search_knowledge', input: { query: 'vacation' } };
const vacation = passage('Employees get 30 days of vacation. Sick notes are due on the third day.');

/** A run with the schema; each case runs complete and streamed. */
const structured = (options: Parameters<typeof runOf>[0] = {}) =>
  runOf({ settings, output: { schema, check: checker.check }, ...options });
const messagesOf = (call: number) => provider.requests[call - 1]?.messages ?? [];

describe.each([
  ['complete', false],
  ['streamed', true],
])('A structured run, %s', (_, streams) => {
  it('A valid answer is the output, and the text is the same value as JSON', async () => {
    provider.now(turns({ text: ' ```json\n{ "days": 30 }\n``` ' }));
    const { result, events } = await structured({ streams });
    expect(result).toMatchObject({ output: { days: 30 }, text: valid, finishReason: 'STOP' });
    expect(result.messages).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: valid }] },
    ]);
    if (streams) expect(events).toEqual([{ type: 'text', text: valid }]);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: false },
    });
    expect(JSON.stringify(messagesOf(1).at(-1))).toContain('JSON Schema');
    expect(messagesOf(1).at(-1)?.role).toBe('user');
  });

  it('An invalid answer is mended in a further step, and never reaches the client', async () => {
    provider.now(turns({ text: '{"days":"thirty"}' }, { text: 'Sorry.' }, { text: valid }));
    const steps: FinishedStep[] = [];
    const numbers: number[] = [];
    const { result, events } = await structured({
      streams,
      stepLimit: 1,
      observer: {
        beforeStep: async ({ number }) => void numbers.push(number),
        stepEnded: async (step) => void steps.push(step),
      },
    });
    expect(result).toMatchObject({
      text: valid,
      output: { days: 30 },
      usage: { promptTokens: 30, completionTokens: 15 },
    });
    expect(result.messages).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: valid }] },
    ]);
    expect(textOfEvents(events)).toBe(streams ? valid : '');
    expect(numbers).toEqual([1, 2, 3]);
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(JSON.stringify(messagesOf(2))).toContain('thirty');
    expect(messagesOf(2).at(-1)?.content).toContain('Expected \\"integer\\"'.replaceAll('\\', ''));
    expect(messagesOf(3).at(-1)?.content).toContain('not one JSON value');
  });

  it('After two attempts to mend it, the run fails and says why', async () => {
    provider.now(() => ({ text: '{"days":1.5}' }));
    await expect(structured({ streams })).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('#/days'),
    });
    expect(provider.requests).toHaveLength(3);
  });

  it('The model uses its tools first, and its text beside them is left out', async () => {
    provider.now(
      turns(
        { text: 'I look it up.', toolCalls: [search] },
        { text: '{"days":30,"more":1}' },
        { text: valid },
      ),
    );
    const { result, events } = await structured({ streams, found: [vacation] });
    expect(result.text).toBe(valid);
    expect(result.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(JSON.stringify(result.messages)).not.toContain('I look it up');
    if (streams)
      expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text']);
    // The request to mend has the results of the tools, and no tools.
    expect(
      messagesOf(3)
        .map(({ role }) => role)
        .slice(-4),
    ).toEqual(['assistant', 'tool', 'assistant', 'user']);
    expect(provider.requests.map(({ tools }) => tools !== undefined)).toEqual([true, true, false]);
  });

  it('Markers in the texts of the value are citations, and lists of numbers are not', async () => {
    const listSchema = { properties: { text: {}, numbers: { const: [1] } }, required: ['numbers'] };
    const text = 'You get 30 days of vacation [1][7].';
    provider.now(turns({ toolCalls: [search] }, { text: JSON.stringify({ text, numbers: [1] }) }));
    const { result } = await structured({
      ...{ streams, found: [vacation] },
      output: { schema: listSchema, check: checker.check },
    });
    expect(result.output).toEqual({ text: 'You get 30 days of vacation [1].', numbers: [1] });
    expect(result.citations).toEqual(['handbook.pdf#page=3']);
  });

  it('A provider that refuses the response format gets the schema as a message only', async () => {
    provider.now((request) =>
      request.response_format === undefined
        ? { text: valid }
        : (response) => response.writeHead(400).end('{"error":{"message":"response_format"}}'),
    );
    expect((await structured({ streams })).result.output).toEqual({ days: 30 });
    expect(provider.requests.map((request) => request.response_format !== undefined)).toEqual([
      true,
      false,
    ]);
  });

  it('A token limit that is reached before the answer is valid ends the run', async () => {
    provider.now(() => ({ text: '{"days":', finish: 'length' }));
    await expect(structured({ streams, outputTokensMax: 5 })).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('An answer that is nested too deeply is not valid', async () => {
    provider.now(() => ({ text: `${'['.repeat(70)}${']'.repeat(70)}` }));
    await expect(
      structured({ streams, output: { schema: true, check: checker.check } }),
    ).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('64 levels'),
    });
  });
});

describe('A structured run', () => {
  it('A schema whose top is no object is told to the model as a message only', async () => {
    provider.now(() => ({ text: '[1, 2]' }));
    const { result } = await structured({
      output: { schema: { type: 'array' }, check: checker.check },
    });
    expect(result.output).toEqual([1, 2]);
    expect(provider.requests[0]?.response_format).toBeUndefined();
  });

  it('An answer that is null is an output', async () => {
    provider.now(() => ({ text: 'null' }));
    const { result } = await structured({
      output: { schema: { type: 'null' }, check: checker.check },
    });
    expect(result).toMatchObject({ output: null, text: 'null' });
  });
});
