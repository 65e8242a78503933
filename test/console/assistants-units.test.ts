import { beforeAll, describe, expect, it } from 'vitest';
import {
  chooseFiles,
  withoutUnreadable,
} from '../../src/console/web/assistants/chat/attachments.ts';
import { findQuote } from '../../src/console/web/assistants/chat/find-quote.ts';
import { applyEvents, emptyAnswer } from '../../src/console/web/assistants/chat/live-answer.ts';
import {
  type ExcerptPart,
  isQuoteUnchanged,
  markQuote,
} from '../../src/console/web/assistants/chat/mark-quote.ts';
import {
  type StoredMessage,
  turnsOfBranch,
} from '../../src/console/web/assistants/chat/message-tree.ts';
import { parsePassages } from '../../src/console/web/assistants/chat/parse-passages.ts';
import { serverSentEvents } from '../../src/console/web/assistants/chat/server-sent-events.ts';
import {
  type ChatTurn,
  messagesFor,
  type RunEvent,
} from '../../src/console/web/assistants/chat/turn.ts';
import { progressOf, sizeError } from '../../src/console/web/assistants/files/file-labels.ts';
import { groupByDay } from '../../src/console/web/assistants/rail/conversation-days.ts';
import { createFence, fencePassages } from '../../src/modules/runs/fence.ts';
import { loadEnglishTexts } from '../support/console-texts.ts';
import { passage } from '../support/runs.ts';

beforeAll(loadEnglishTexts);

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

  it('Line separators of Unicode, which JSON does not escape, end no line', async () => {
    const data = JSON.stringify({ text: 'one\u2028two\u2029three' });
    expect(await readIn([new TextEncoder().encode(`event: next\ndata: ${data}\n\n`)])).toEqual([
      [{ name: 'next', data }],
    ]);
  });

  it('Events that arrive in one chunk are yielded together', async () => {
    expect(await readIn([stream])).toEqual([events]);
  });
});

const sequence = 1;
const doneEvent = (text: string): RunEvent => ({
  __typename: 'DoneEvent',
  sequence,
  result: {
    text,
    model: 'm',
    messages: [{ role: 'ASSISTANT', content: [{ __typename: 'TextPart', text }] }],
    usage: { promptTokens: 1, completionTokens: 1 },
    citationDetails: [],
  },
});

describe('live answers', () => {
  it('An answer keeps text, reasoning and tool calls in order, and assigns each result to its call', () => {
    const { steps, state } = applyEvents(emptyAnswer, [
      { __typename: 'StepEvent', sequence, number: 1, attempt: 1 },
      { __typename: 'ReasoningEvent', sequence, text: 'Let me ' },
      { __typename: 'ReasoningEvent', sequence, text: 'see.' },
      { __typename: 'ToolCallEvent', sequence, toolCallId: 'a', toolName: 'one', input: 1 },
      { __typename: 'ToolCallEvent', sequence, toolCallId: 'b', toolName: 'two', input: 2 },
      {
        __typename: 'ToolResultEvent',
        sequence,
        toolCallId: 'b',
        toolName: 'two',
        output: { type: 'ERROR_TEXT', value: 'B' },
      },
      {
        __typename: 'ToolResultEvent',
        sequence,
        toolCallId: 'a',
        toolName: 'one',
        output: { type: 'TEXT', value: 'A' },
      },
      { __typename: 'StepEvent', sequence, number: 2, attempt: 1 },
      { __typename: 'TextEvent', sequence, text: 'It ' },
      { __typename: 'TextEvent', sequence, text: 'is.' },
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

  it('A step that begins again discards what it had written, and keeps the steps before it', () => {
    const { steps } = applyEvents(emptyAnswer, [
      { __typename: 'StepEvent', sequence, number: 1, attempt: 1 },
      { __typename: 'ToolCallEvent', sequence, toolCallId: 'a', toolName: 'one', input: 1 },
      { __typename: 'StepEvent', sequence, number: 2, attempt: 1 },
      { __typename: 'ReasoningEvent', sequence, text: 'Hm.' },
      { __typename: 'TextEvent', sequence, text: 'Half an ans' },
      { __typename: 'StepEvent', sequence, number: 2, attempt: 2 },
      { __typename: 'TextEvent', sequence, text: 'An answer.' },
    ]);
    expect(steps).toEqual([
      { type: 'tool', id: 'a', name: 'one', input: 1 },
      { type: 'text', text: 'An answer.' },
    ]);
  });

  it('A cancelled run is stopped, and any other run without a result has failed with its reason', () => {
    const failed = { __typename: 'FailedEvent', sequence, message: 'Because.' } as const;
    expect(
      applyEvents(emptyAnswer, [{ ...failed, state: 'CANCELLED', code: 'RUN_CANCELLED' }]),
    ).toMatchObject({ state: 'stopped' });
    expect(
      applyEvents(emptyAnswer, [{ ...failed, state: 'EXPIRED', code: 'RUN_EXPIRED' }]),
    ).toMatchObject({ state: 'failed', fault: { code: 'RUN_EXPIRED', message: 'Because.' } });
  });
});

describe('branches', () => {
  const message = (
    id: string,
    parentId: string | null,
    role: StoredMessage['role'],
  ): StoredMessage => ({
    ...{ id, parentId, role, text: id, state: 'COMPLETED', runId: `run of ${id}`, model: 'm' },
    ...{ messages: [], usage: null, citationDetails: [], attachments: [], feedback: null },
  });
  const messages = [
    message('q1', null, 'USER'),
    message('a1', 'q1', 'ASSISTANT'),
    message('q2', 'a1', 'USER'),
    message('a2', 'q2', 'ASSISTANT'),
    message('q3', 'a1', 'USER'),
    message('a3', 'q3', 'ASSISTANT'),
    message('q4', null, 'USER'),
    message('a4', 'q4', 'ASSISTANT'),
  ];
  const idsOf = (messageId: string | null, goesOn = true) =>
    turnsOfBranch(messages, { messageId, goesOn }).map(({ id }) => id);

  it('A branch has the turns before its message and the newest ones below it', () => {
    expect(idsOf('a2')).toEqual(['q1', 'q2']);
    expect(idsOf('q1')).toEqual(['q1', 'q3']);
    expect(idsOf('q4')).toEqual(['q4']);
    expect(idsOf('a1', false)).toEqual(['q1']);
    expect(idsOf(null)).toEqual([]);
    expect(idsOf('deleted')).toEqual([]);
  });

  it('A turn has the questions beside it, in the order in which they were asked', () => {
    expect(turnsOfBranch(messages, { messageId: 'a3', goesOn: true })).toMatchObject([
      { id: 'q1', answerId: 'a1', branches: ['q1', 'q4'] },
      { id: 'q3', answerId: 'a3', parentId: 'a1', branches: ['q2', 'q3'] },
    ]);
  });
});

describe('the list of conversations', () => {
  it('Conversations are grouped by day, week and month', () => {
    const now = new Date(2026, 4, 20, 0, 30);
    const at = (...parts: [number, number, number, number?]) => ({
      updatedAt: new Date(...parts).toISOString(),
    });
    const items = [
      at(2026, 4, 20),
      at(2026, 4, 19, 23),
      at(2026, 4, 19, 0),
      at(2026, 4, 18),
      at(2026, 4, 13),
      at(2026, 4, 12),
      at(2026, 3, 20),
      at(2026, 2, 1),
      at(2025, 2, 1),
    ];
    expect(groupByDay(items, now).map(({ label, items: { length } }) => [label, length])).toEqual([
      ['Today', 1],
      ['Yesterday', 2],
      ['Previous 7 days', 2],
      ['Previous 30 days', 2],
      ['March 2026', 1],
      ['March 2025', 1],
    ]);
  });
});

describe('attached files', () => {
  const file = (name: string, size = 1) => {
    const created = new File([], name, { lastModified: 1 });
    Object.defineProperty(created, 'size', { value: size });
    return created;
  };

  it('A file that is empty or larger than 25 MB is not attached, and the message names it', () => {
    const { files, errors } = chooseFiles([], [file('nothing', 0), file('much', 26_214_401)]);
    expect(files).toEqual([]);
    expect(errors).toEqual([
      'nothing is empty.',
      expect.stringContaining('much is larger than 25 MB'),
    ]);
    expect(chooseFiles([], [file('enough', 26_214_400)]).files).toHaveLength(1);
  });

  it('Ten files can be attached, the same file once, and the message says what to do with more', () => {
    const ten = Array.from({ length: 10 }, (_, at) => file(`file ${at}`));
    expect(chooseFiles(ten.slice(0, 8), ten)).toEqual({ files: ten, errors: [] });
    const { files, errors } = chooseFiles(ten, [file('one more'), file('and another')]);
    expect(files).toEqual(ten);
    expect(errors).toEqual([expect.stringContaining('You can attach 10 files')]);
  });

  it('The file that the server names as unreadable leaves the question, and the others stay', () => {
    const files = [file('a.txt'), file('b.pdf')];
    const paths = [['input', 'files', 1]];
    expect(
      withoutUnreadable({ code: 'BAD_INPUT', message: 'b.pdf: The file is damaged', paths }, files),
    ).toEqual({
      fault: {
        ...{ code: 'BAD_INPUT', paths },
        message: 'b.pdf: The file is damaged. The file was removed from your question.',
      },
      files: [files[0]],
    });
    // In other languages than English the message comes from the console, which names no file.
    const german = { code: 'BAD_INPUT', message: 'Die Datei kann nicht gelesen werden', paths };
    expect(withoutUnreadable(german, files)).toMatchObject({
      fault: { message: expect.stringMatching(/^b\.pdf: Die Datei kann nicht gelesen werden/) },
      files: [files[0]],
    });
    const other = { code: 'UNREACHABLE', message: 'Atrium cannot be reached' };
    expect(withoutUnreadable(other, files)).toEqual({ fault: other, files });
  });
});

describe('messages of a chat that is not kept', () => {
  const turnOf = (
    question: string,
    events: RunEvent[],
    state: ChatTurn['state'] = 'done',
  ): ChatTurn => ({
    ...{ id: question, parentId: null, question, files: [], branches: [question] },
    ...applyEvents(emptyAnswer, events),
    state,
  });

  it('The next question is sent with complete answers and stopped answers, and without turns that have no answer', () => {
    const turns = [
      turnOf('First?', [{ __typename: 'TextEvent', sequence, text: 'One.' }, doneEvent('One.')]),
      turnOf('Failed?', [], 'failed'),
      turnOf('Stopped?', [{ __typename: 'TextEvent', sequence, text: 'Tw' }], 'stopped'),
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
      { number: 1, file: 'handbook.pdf', source: 'handbook.pdf, page 3, Animals', text },
      { number: 2, file: 'handbook.pdf', source: 'handbook.pdf', text: 'Second.' },
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

describe('findQuote', () => {
  const textsOf = (items: readonly string[], quote: string) =>
    findQuote(
      items.map((str) => ({ str })),
      quote,
    ).map(({ index, from, to }) => items[index]?.slice(from, to));

  it.each([
    ['a part of an item', ['The allowance is 28 euro a day.'], 'is 28 euro', ['is 28 euro']],
    [
      'several items, with a hyphen at the end of a line',
      ['Meals: the allow-', 'ance is 28 euro.', 'More.'],
      'the allowance is 28 euro.',
      ['the allow-', 'ance is 28 euro'],
    ],
    ['letters that are written together', ['The ﬁrst oﬃce'], 'first office', ['ﬁrst oﬃce']],
    ['accents that stand alone', ['Tonho\u0308he'], 'Tonhöhe', ['Tonho\u0308he']],
    [
      'the beginning of a quote that goes on on the next page',
      ['It ends', 'in the middle of'],
      'in the middle of the next page, much later',
      ['in the middle of'],
    ],
    ['nothing that is not there', ['The allowance'], 'Another sentence entirely', []],
    ['nothing for an empty quote', ['The allowance'], ' … ', []],
  ])('finds %s', (_, items, quote, expected) => {
    expect(textsOf(items, quote)).toEqual(expected);
  });
});
