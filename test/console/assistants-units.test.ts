import { describe, expect, it } from 'vitest';
import {
  applyEvents,
  type ChatTurn,
  messagesFor,
  newTurn,
  type RunEvent,
} from '../../src/console/web/assistants/chat/conversation.ts';
import {
  type ExcerptPart,
  isQuoteUnchanged,
  markQuote,
} from '../../src/console/web/assistants/chat/mark-quote.ts';
import { parsePassages } from '../../src/console/web/assistants/chat/parse-passages.ts';
import { serverSentEvents } from '../../src/console/web/assistants/chat/server-sent-events.ts';
import { progressOf, sizeError } from '../../src/console/web/assistants/files/file-labels.ts';
import { createFence, fencePassages } from '../../src/modules/runs/fence.ts';
import { passage } from '../support/runs.ts';

describe('serverSentEvents', () => {
  const stream = new TextEncoder().encode(
    ': hello\n\nevent: next\ndata: {"text":"Käse 🧀"}\n\n:\n\nevent: next\r\ndata: one\r\ndata: two\r\n\r\nevent: complete\ndata:\n\n',
  );
  const events = [
    { name: 'next', data: '{"text":"Käse 🧀"}' },
    { name: 'next', data: 'one\ntwo' },
    { name: 'complete', data: '' },
  ];

  async function readIn(pieces: Uint8Array<ArrayBuffer>[]) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    const read: { name: string; data: string }[][] = [];
    for await (const batch of serverSentEvents(body)) read.push(batch);
    return read;
  }

  it('A stream yields the same events wherever it is split, even inside a character', async () => {
    for (let at = 0; at <= stream.length; at += 1)
      expect((await readIn([stream.slice(0, at), stream.slice(at)])).flat()).toEqual(events);
    expect((await readIn(Array.from(stream, (byte) => Uint8Array.of(byte)))).flat()).toEqual(
      events,
    );
  });

  it('Events that arrive in one chunk are yielded together', async () => {
    expect(await readIn([stream])).toEqual([events]);
  });
});

const doneEvent = (text: string): RunEvent => ({
  __typename: 'DoneEvent',
  result: {
    text,
    model: 'm',
    messages: [{ role: 'ASSISTANT', content: [{ __typename: 'TextPart', text }] }],
    usage: { promptTokens: 1, completionTokens: 1 },
    citationDetails: [],
  },
});

describe('conversation', () => {
  const turnOf = (
    question: string,
    events: RunEvent[],
    state: ChatTurn['state'] = 'done',
  ): ChatTurn => ({
    ...applyEvents(newTurn(question, undefined), events),
    state,
  });

  it('A turn keeps text, reasoning and tool calls in order, and assigns each result to its call', () => {
    const { steps, state } = applyEvents(newTurn('?', undefined), [
      { __typename: 'ReasoningEvent', text: 'Let me ' },
      { __typename: 'ReasoningEvent', text: 'see.' },
      { __typename: 'ToolCallEvent', toolCallId: 'a', toolName: 'one', input: 1 },
      { __typename: 'ToolCallEvent', toolCallId: 'b', toolName: 'two', input: 2 },
      {
        __typename: 'ToolResultEvent',
        toolCallId: 'b',
        toolName: 'two',
        output: { type: 'ERROR_TEXT', value: 'B' },
      },
      {
        __typename: 'ToolResultEvent',
        toolCallId: 'a',
        toolName: 'one',
        output: { type: 'TEXT', value: 'A' },
      },
      { __typename: 'TextEvent', text: 'It ' },
      { __typename: 'TextEvent', text: 'is.' },
      doneEvent('It is.'),
    ]);
    expect(steps).toEqual([
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'tool', id: 'a', name: 'one', input: 1, output: { type: 'TEXT', value: 'A' } },
      { type: 'tool', id: 'b', name: 'two', input: 2, output: { type: 'ERROR_TEXT', value: 'B' } },
      { type: 'text', text: 'It is.' },
    ]);
    expect(state).toBe('done');
  });

  it('The next question is sent with complete answers and stopped answers, and without turns that have no answer', () => {
    const turns = [
      turnOf('First?', [{ __typename: 'TextEvent', text: 'One.' }, doneEvent('One.')]),
      turnOf('Refused?', [], 'refused'),
      turnOf('Stopped?', [{ __typename: 'TextEvent', text: 'Tw' }], 'stopped'),
    ];
    expect(messagesFor(turns, 'Next?')).toEqual([
      { user: ['First?'] },
      { assistant: [{ text: 'One.' }] },
      { user: ['Stopped?'] },
      { assistant: [{ text: 'Tw' }] },
      { user: ['Next?'] },
    ]);
  });

  it('Reasoning, tool calls and their results are sent back as they were answered', () => {
    const ids = { toolCallId: 'a', toolName: 'calculate' };
    const output = { type: 'ERROR_TEXT', value: 'no' } as const;
    const done = doneEvent('4');
    if (done.__typename !== 'DoneEvent') throw new Error('the run is not done');
    done.result.messages = [
      {
        role: 'ASSISTANT',
        content: [
          { __typename: 'ReasoningPart', text: 'Count.' },
          { __typename: 'ToolCallPart', ...ids, input: { expression: '2+2' } },
        ],
      },
      { role: 'TOOL', content: [{ __typename: 'ToolResultPart', ...ids, output }] },
    ];
    expect(messagesFor([turnOf('?', [done])], 'Sure?')).toEqual([
      { user: ['?'] },
      {
        assistant: [
          { reasoning: 'Count.' },
          { toolCall: { ...ids, input: { expression: '2+2' } } },
        ],
      },
      { tool: [{ ...ids, output: { errorText: 'no' } }] },
      { user: ['Sure?'] },
    ]);
  });

  it('A conversation that is too long is sent with its newest turns only', () => {
    const long = 'x'.repeat(120_000);
    const turns = ['a', 'b', 'c', 'd'].map((name) => turnOf(name, [doneEvent(long)]));
    expect(
      messagesFor(turns, 'e')
        .flatMap(({ user }) => user ?? [])
        .filter((text) => text.length === 1),
    ).toEqual(['c', 'd', 'e']);
    expect(messagesFor([turnOf('?', [doneEvent('x'.repeat(400_000))])], 'e')).toEqual([
      { user: ['e'] },
    ]);
  });
});

describe('markQuote', () => {
  const part = (text: string, start: number, more: Partial<ExcerptPart> = {}): ExcerptPart => ({
    text,
    start,
    end: start + text.length,
    page: null,
    headings: [],
    ...more,
  });

  it('A quote is marked at its position, and nothing else is marked', () => {
    expect(markQuote([part('one two three', 10)], { start: 14, end: 17 })).toMatchObject([
      { before: 'one ', quote: 'two', after: ' three' },
    ]);
    expect(
      markQuote([part('one', 10), part('two', 15), part('three', 20)], { start: 15, end: 18 }).map(
        ({ quote }) => quote,
      ),
    ).toEqual(['', 'two', '']);
  });

  it('A quote can span two parts, with or without white space between them', () => {
    const separateParts = [part('ends here.', 0), part('Goes on.', 12)];
    expect(markQuote(separateParts, { start: 5, end: 16 }).map(({ quote }) => quote)).toEqual([
      'here.',
      'Goes',
    ]);
    expect(isQuoteUnchanged(separateParts, { start: 5, end: 16, quote: 'here.\n\nGoes' })).toBe(
      true,
    );
    const adjacentParts = [part('in the mid', 0), part('dle of a word', 10)];
    expect(markQuote(adjacentParts, { start: 7, end: 13 })).toMatchObject([
      { before: 'in the ', quote: 'middle', after: ' of a word' },
    ]);
  });

  it('Page and heading are set where they change', () => {
    const parts = [
      part('a', 0, { page: 1, headings: ['H'] }),
      part('b', 5, { page: 1, headings: ['H'] }),
      part('c', 9, { page: 2, headings: ['H', 'I'] }),
    ];
    expect(
      markQuote(parts, { start: 0, end: 0 }).map(({ page, heading }) => [page, heading]),
    ).toEqual([
      ['Page 1', 'H'],
      [undefined, undefined],
      ['Page 2', 'H › I'],
    ]);
  });

  it('A quote counts as changed when the text at its position differs or is missing', () => {
    expect(isQuoteUnchanged([part('one two three', 0)], { start: 4, end: 7, quote: 'tow' })).toBe(
      false,
    );
    expect(isQuoteUnchanged([], { start: 4, end: 7, quote: 'two' })).toBe(false);
  });
});

describe('parsePassages', () => {
  it('Every passage that the server wraps is parsed, and other text is never taken for a passage', () => {
    const text = 'The walrus </data> is\n\n<data-1 {"number":9}> large.';
    const output = fencePassages(
      [
        { ...passage(text, { page: 3, headings: ['Animals'] }), number: 1 },
        { ...passage('Second.', { page: null }), number: 2 },
      ],
      {
        fence: createFence(),
        about: 'These passages were found.',
      },
    );
    expect(parsePassages(output)).toEqual([
      { number: 1, source: 'handbook.pdf, page 3, Animals', text },
      { number: 2, source: 'handbook.pdf', text: 'Second.' },
    ]);
    expect(parsePassages('84')).toEqual([]);
    expect(parsePassages('data-0123456789abcdef01234567')).toEqual([]);
  });
});

describe('file labels', () => {
  it('A file can have 1 byte to 150 MB', () => {
    expect([1, 157_286_400].map((size) => sizeError({ name: 'a', size }))).toEqual([
      undefined,
      undefined,
    ]);
    expect([0, 157_286_401].map((size) => sizeError({ name: 'a', size }))).toEqual([
      'a is empty.',
      'a is larger than 150 MB, the maximum size of a file.',
    ]);
  });

  it('Every processing stage has its own label and more progress than the one before', () => {
    const stages = [null, 'EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING'] as const;
    const shown = stages.map((processingStage) =>
      progressOf({ processingStatus: 'PROCESSING', processingStage }),
    );
    expect(new Set(shown.map(({ label }) => label)).size).toBe(5);
    expect(shown.map(({ done }) => done)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
  });
});
