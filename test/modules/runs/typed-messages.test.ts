import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunApp, runApp } from '../../support/run-app.ts';

let setting: RunApp;
beforeAll(async () => {
  setting = await runApp({});
});
afterAll(() => setting.close());

const selection = `messages { role content { __typename
  ... on TextPart { text } ... on ReasoningPart { text }
  ... on ToolCallPart { toolCallId toolName input }
  ... on ToolResultPart { toolCallId toolName output { type value } } } }`;
const mutation = `mutation ($id: ID!, $messages: [RunMessageInput!]!) {
  result: runAssistant(input: { assistantId: $id, messages: $messages }) { run { text ${selection} } } }`;

const send = (messages: unknown) =>
  setting.owner.graph(mutation, { id: setting.assistantId, messages });

describe('the messages of a run over GraphQL', () => {
  it('The answer has typed parts, which the next run takes back', async () => {
    setting.searchThenAnswer('You get 30 days [1].', { reasoning: 'I look it up.' });
    const { data, errors } = await send([{ user: 'How many days?' }]);
    expect(errors).toEqual([]);
    const { messages } = Object(data?.['result']).run;
    expect(messages).toEqual([
      {
        role: 'ASSISTANT',
        content: [
          { __typename: 'ReasoningPart', text: 'I look it up.' },
          {
            __typename: 'ToolCallPart',
            toolCallId: expect.any(String),
            toolName: 'search_knowledge',
            input: { query: expect.any(String) },
          },
        ],
      },
      {
        role: 'TOOL',
        content: [
          {
            __typename: 'ToolResultPart',
            toolCallId: messages[0].content[1].toolCallId,
            toolName: 'search_knowledge',
            output: { type: 'TEXT', value: expect.stringContaining('30 days') },
          },
        ],
      },
      { role: 'ASSISTANT', content: [{ __typename: 'TextPart', text: 'You get 30 days [1].' }] },
    ]);

    const [call, result] = [messages[0].content[1], messages[1].content[0]];
    const idsOf = ({ toolCallId, toolName }: Record<string, string>) => ({ toolCallId, toolName });
    setting.provider.now((request) => ({ text: String(request.messages.length) }));
    const next = await send([
      { user: ['How many days?'] },
      { assistant: [{ reasoning: 'I look it up.' }, { toolCall: { ...idsOf(call), input: {} } }] },
      { tool: [{ ...idsOf(result), output: { text: result.output.value } }] },
      { assistant: { text: 'You get 30 days.' } },
      { user: 'Sure?' },
    ]);
    expect(next.errors).toEqual([]);
    // The five messages, after the instructions.
    expect(Object(next.data?.['result']).run.text).toBe('6');
  });

  it.each([
    [
      'two roles at once',
      [{ user: ['a'], toolText: 'b' }],
      ['input', 'messages', 0],
      /exactly one of the fields assistant, system, tool, toolText, user$/,
    ],
    ['no role', [{ user: ['a'] }, {}], ['input', 'messages', 1], /exactly one of the fields/],
    ['a role that is null', [{ user: null }], ['input', 'messages', 0], /exactly one/],
    [
      'a text that is a number',
      [{ user: [1] }],
      ['input', 'messages', 0, 'user', 0],
      /must be a string, not a number/,
    ],
    [
      'a part of two kinds',
      [{ assistant: [{ text: 'a' }, { text: 'a', reasoning: 'b' }] }],
      ['input', 'messages', 0, 'assistant', 1],
      /exactly one of the fields/,
    ],
    [
      'a call without an id',
      [{ assistant: [{ toolCall: { toolCallId: '', toolName: 'a' } }] }],
      ['input', 'messages', 0, 'assistant', 0, 'toolCall', 'toolCallId'],
      /1 to 200 characters/,
    ],
    ['a role of REST', [{ role: 'user', content: 'a' }], ['input', 'messages', 0], /exactly one/],
    ['no message', [], ['input', 'messages'], /1 to 1000 messages, but is empty/],
    [
      'a tool text that is empty alone',
      [{ toolText: '' }],
      ['input', 'messages'],
      /must have a message that the model can read/,
    ],
  ])('A conversation with %s is refused with the path', async (_, messages, path, text) => {
    const { errors } = await send(messages);
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', errors: [{ path }] } });
    expect(errors[0]?.message).toMatch(text);
  });

  it('A literal with two roles is refused with its location', async () => {
    const { errors } = await setting.owner.graph(
      'mutation { runAssistant(input: { assistantId: "a", messages: [{ user: "a", toolText: "b" }] }) { run { text } } }',
      {},
    );
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('must have exactly one of the fields'),
        locations: [{ line: 1, column: 63 }],
        extensions: { errors: [{ path: ['input', 'messages', 0] }] },
      },
    ]);
  });
});
