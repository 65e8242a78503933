import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesFrom, toMessageInput } from '../../../src/modules/runs/message-forms.ts';
import { parseMessages } from '../../../src/modules/runs/parse-messages.ts';
import { promptFor } from '../../../src/modules/runs/prompt.ts';
import { runLimits } from '../../../src/modules/runs/run-limits.ts';
import type { RunMessage } from '../../../src/modules/runs/run-result.ts';

const ids = fc.record({
  toolCallId: fc.constantFrom('a', 'b'),
  toolName: fc.constantFrom('one', 'two'),
});
const textPart = fc.record({ type: fc.constant('text'), text: fc.string() });
const assistantPart = fc.oneof(
  textPart,
  fc.record({ type: fc.constant('reasoning'), text: fc.string() }),
  ids.chain((known) =>
    fc
      .record({ type: fc.constant('tool-call'), input: fc.jsonValue() })
      .map((part) => ({ ...part, ...known })),
  ),
);
const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'error-text'), value: fc.string() }),
  fc.record({ type: fc.constantFrom('json', 'error-json'), value: fc.jsonValue() }),
);
const toolPart = ids.chain((known) =>
  fc.record({ type: fc.constant('tool-result'), output }).map((part) => ({ ...part, ...known })),
);
const contentOf = (part: fc.Arbitrary<unknown>) => fc.oneof(fc.string(), fc.array(part));
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: contentOf(textPart) }),
  fc.record({ role: fc.constant('assistant'), content: contentOf(assistantPart) }),
  fc.record({ role: fc.constant('tool'), content: contentOf(toolPart) }),
);

/**
 * What the model reads of a conversation. A text alone and a single part with it are the same. It
 * reads JSON, in which minus zero is zero.
 */
const readBy = (messages: RunMessage[]) => {
  const prompt = promptFor({ messages, sentPassages: [], fence: '' });
  return JSON.parse(JSON.stringify(prompt)).map(({ role, content }: (typeof prompt)[number]) => ({
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }));
};

describe('messages of REST and of the graph', () => {
  it('The model reads the same conversation in both forms', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (more) => {
        const messages = parseMessages([{ role: 'user', content: 'Hi' }, ...more]);
        const inputs = JSON.parse(JSON.stringify(messages.map(toMessageInput)));
        expect(readBy(messagesFrom(inputs))).toEqual(readBy(messages));
      }),
      { numRuns: 2_000 },
    );
  });

  it('A conversation that REST accepts is never too long for the graph', () => {
    const shell = JSON.stringify([{ role: 'user', content: '' }]).length;
    const longest = 'x'.repeat(runLimits.messageCharacters - shell);
    const messages = parseMessages([{ role: 'user', content: longest }]);
    expect(messagesFrom(messages.map(toMessageInput))).toHaveLength(1);
    expect(() => parseMessages([{ role: 'user', content: `${longest}x` }])).toThrow(
      'not be longer',
    );
  });

  it.each([
    ['no message', [], 'messages must be a list of 1 to 1000 messages, but is empty'],
    [
      'too many messages',
      Array.from({ length: 1_001 }, () => ({ user: [''] })),
      'messages must be a list of 1 to 1000 messages, but has 1001',
    ],
    [
      'too many parts',
      [{ user: ['a'] }, { assistant: Array.from({ length: 1_001 }, () => ({ text: '' })) }],
      'messages[1].assistant must have at most 1000 parts, but has 1001',
    ],
    [
      'too many characters',
      [{ user: ['x'.repeat(600_000)] }, { user: ['x'.repeat(600_000)] }],
      'messages must not be longer than 1000000 characters as JSON, but has 1200029',
    ],
  ])('A conversation with %s is refused', (_, inputs, text) => {
    expect(() => messagesFrom(inputs)).toThrow(text);
  });
});
