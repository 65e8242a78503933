import { describe, expect, it } from 'vitest';
import { redactJson, redactText } from '../../../src/modules/conversations/redact.ts';
import { titleOf } from '../../../src/modules/conversations/title.ts';

describe('Redaction', () => {
  it.each([
    ['Write to ada.lovelace+x@mail.example.org today', 'Write to [e-mail] today'],
    ['Call +49 (0)30 123-456 or 0301234567.', 'Call [number] or [number].'],
    ['DE89 3704 0044 0532 0130 00 is the account', '[number] is the account'],
    ['Card 4111 1111 1111 1111, code 123', 'Card [number], code 123'],
    ['30 days in 2026, § 12', '30 days in 2026, § 12'],
  ])('%s becomes %s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  it('reaches every text of a JSON value and leaves its ids', () => {
    expect(
      redactJson([
        { type: 'tool-call', toolCallId: 'call-123456', input: { to: ['a@b.example'] } },
      ]),
    ).toEqual([{ type: 'tool-call', toolCallId: 'call-123456', input: { to: ['[e-mail]'] } }]);
  });

  it.each(['a', 'a@', 'a.', '(((', 'DE1 '])('leaves a megabyte of "%s" as it is', (part) => {
    const text = part.repeat(1_000_000 / part.length);
    expect(redactText(text) === text).toBe(true);
  });
});

describe('A title', () => {
  it.each([
    ['How many days?', 'How many days?'],
    ['  First line \n second line', 'First line'],
    ['a\tb\u0000c', 'a b c'],
    ['\n\n', undefined],
    ['\u202eemit on\u2066!', 'emit on!'],
    ['\u200b\u3164', undefined],
    [`${'word '.repeat(30)}`, `${'word '.repeat(16).trimEnd()}…`],
    ['x'.repeat(100), `${'x'.repeat(80)}…`],
  ])('of %j is %j', (question, title) => {
    expect(titleOf(question)).toBe(title);
  });
});
