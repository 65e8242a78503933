import { describe, expect, it } from 'vitest';
import {
  messagesFor,
  newTurn,
  type RunEvent,
  type Turn,
  withEvents,
} from '../../src/console/web/assistants/chat/conversation.ts';
import {
  isQuotedThere,
  marked,
  type Part,
} from '../../src/console/web/assistants/chat/mark-quote.ts';
import { parsePassages } from '../../src/console/web/assistants/chat/parse-passages.ts';
import { serverSentEvents } from '../../src/console/web/assistants/chat/server-sent-events.ts';
import { processingOf, sizeFault } from '../../src/console/web/assistants/files/file-labels.ts';
import { fenced, newFence } from '../../src/modules/runs/fence.ts';
import { passage } from '../support/runs.ts';

describe('an event stream', () => {
  const whole = new TextEncoder().encode(
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
    for await (const together of serverSentEvents(body)) read.push(together);
    return read;
  }

  it('gives the same events wherever it is cut, even inside a letter', async () => {
    for (let at = 0; at <= whole.length; at += 1)
      expect((await readIn([whole.slice(0, at), whole.slice(at)])).flat()).toEqual(events);
    expect((await readIn(Array.from(whole, (byte) => Uint8Array.of(byte)))).flat()).toEqual(events);
  });

  it('gives what came together at once, so that a page shows it once', async () => {
    expect(await readIn([whole])).toEqual([events]);
  });
});

const done = (text: string): RunEvent => ({
  __typename: 'DoneEvent',
  result: {
    text,
    model: 'm',
    messages: [{ role: 'assistant', content: text }],
    usage: { promptTokens: 1, completionTokens: 1 },
    citationDetails: [],
  },
});

describe('a conversation', () => {
  const asked = (question: string, events: RunEvent[], state: Turn['state'] = 'done'): Turn => ({
    ...withEvents(newTurn(question, undefined), events),
    state,
  });

  it('keeps what is said, thought and looked up in its order, and puts each result to its call', () => {
    const { steps, state } = withEvents(newTurn('?', undefined), [
      { __typename: 'ReasoningEvent', text: 'Let me ' },
      { __typename: 'ReasoningEvent', text: 'see.' },
      { __typename: 'ToolCallEvent', toolCallId: 'a', toolName: 'one', input: 1 },
      { __typename: 'ToolCallEvent', toolCallId: 'b', toolName: 'two', input: 2 },
      { __typename: 'ToolResultEvent', toolCallId: 'b', toolName: 'two', output: 'B' },
      { __typename: 'ToolResultEvent', toolCallId: 'a', toolName: 'one', output: 'A' },
      { __typename: 'TextEvent', text: 'It ' },
      { __typename: 'TextEvent', text: 'is.' },
      done('It is.'),
    ]);
    expect(steps).toEqual([
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'tool', id: 'a', name: 'one', input: 1, output: 'A' },
      { type: 'tool', id: 'b', name: 'two', input: 2, output: 'B' },
      { type: 'text', text: 'It is.' },
    ]);
    expect(state).toBe('done');
  });

  it('goes along with the next question: answers whole, stopped ones as far as they came, and none that nobody gave', () => {
    const turns = [
      asked('First?', [{ __typename: 'TextEvent', text: 'One.' }, done('One.')]),
      asked('Refused?', [], 'refused'),
      asked('Stopped?', [{ __typename: 'TextEvent', text: 'Tw' }], 'stopped'),
    ];
    expect(messagesFor(turns, 'Next?')).toEqual([
      { role: 'user', content: 'First?' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Stopped?' },
      { role: 'assistant', content: 'Tw' },
      { role: 'user', content: 'Next?' },
    ]);
  });

  it('that is too long goes along with its newest turns', () => {
    const long = 'x'.repeat(120_000);
    const turns = ['a', 'b', 'c', 'd'].map((name) => asked(name, [done(long)]));
    expect(
      messagesFor(turns, 'e')
        .flatMap((message) => Object(message).content)
        .filter((content: string) => content.length === 1),
    ).toEqual(['c', 'd', 'e']);
    expect(messagesFor([asked('?', [done('x'.repeat(400_000))])], 'e')).toEqual([
      { role: 'user', content: 'e' },
    ]);
  });
});

describe('a quote in the text of its file', () => {
  const part = (text: string, start: number, more: Partial<Part> = {}): Part => ({
    text,
    start,
    end: start + text.length,
    page: null,
    headings: [],
    ...more,
  });

  it('is marked where it stands, and nothing else is', () => {
    expect(marked([part('one two three', 10)], { start: 14, end: 17 })).toMatchObject([
      { before: 'one ', quote: 'two', after: ' three' },
    ]);
    expect(
      marked([part('one', 10), part('two', 15), part('three', 20)], { start: 15, end: 18 }).map(
        ({ quote }) => quote,
      ),
    ).toEqual(['', 'two', '']);
  });

  it('may go over from one part into the next, with blank space between them or without', () => {
    const apart = [part('ends here.', 0), part('Goes on.', 12)];
    expect(marked(apart, { start: 5, end: 16 }).map(({ quote }) => quote)).toEqual([
      'here.',
      'Goes',
    ]);
    expect(isQuotedThere(apart, { start: 5, end: 16, quote: 'here.\n\nGoes' })).toBe(true);
    const cut = [part('in the mid', 0), part('dle of a word', 10)];
    expect(marked(cut, { start: 7, end: 13 })).toMatchObject([
      { before: 'in the ', quote: 'middle', after: ' of a word' },
    ]);
  });

  it('names page and heading where they change', () => {
    const parts = [
      part('a', 0, { page: 1, headings: ['H'] }),
      part('b', 5, { page: 1, headings: ['H'] }),
      part('c', 9, { page: 2, headings: ['H', 'I'] }),
    ];
    expect(marked(parts, { start: 0, end: 0 }).map(({ page, heading }) => [page, heading])).toEqual(
      [
        ['Page 1', 'H'],
        [undefined, undefined],
        ['Page 2', 'H › I'],
      ],
    );
  });

  it('is missed where other words stand there now, or none', () => {
    expect(isQuotedThere([part('one two three', 0)], { start: 4, end: 7, quote: 'tow' })).toBe(
      false,
    );
    expect(isQuotedThere([], { start: 4, end: 7, quote: 'two' })).toBe(false);
  });
});

describe('what a search gave the model', () => {
  it('is shown as passages: all that the server fences off is read again, and nothing else is taken for it', () => {
    const text = 'The walrus </data> is\n\n<data-1 {"number":9}> large.';
    const output = fenced(
      [
        { ...passage(text, { page: 3, headings: ['Animals'] }), number: 1 },
        { ...passage('Second.', { page: null }), number: 2 },
      ],
      {
        fence: newFence(),
        about: 'These passages were found.',
      },
    );
    expect(parsePassages(output)).toEqual([
      { number: 1, place: 'handbook.pdf, page 3, Animals', text },
      { number: 2, place: 'handbook.pdf', text: 'Second.' },
    ]);
    expect(parsePassages('84')).toEqual([]);
    expect(parsePassages('data-0123456789abcdef01234567')).toEqual([]);
  });
});

describe('a file that is to be sent', () => {
  it('may have 150 MB to the byte, and must have one', () => {
    expect([1, 157_286_400].map((size) => sizeFault({ name: 'a', size }))).toEqual([
      undefined,
      undefined,
    ]);
    expect([0, 157_286_401].map((size) => sizeFault({ name: 'a', size }))).toEqual([
      'a is empty.',
      'a is larger than 150 MB, the most that a file may have.',
    ]);
  });

  it('comes further with each stage, in words', () => {
    const stages = [null, 'EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING'] as const;
    const shown = stages.map((processingStage) =>
      processingOf({ processingStatus: 'PROCESSING', processingStage }),
    );
    expect(new Set(shown.map(({ label }) => label)).size).toBe(5);
    expect(shown.map(({ done }) => done)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
  });
});
