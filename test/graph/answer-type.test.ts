import { describe, expect, it } from 'vitest';
import { answerType } from '../../src/graph/answer-type.ts';

const modern = 'application/graphql-response+json';
const plain = 'application/json';
const stream = 'text/event-stream';

describe('answerType', () => {
  it.each([
    [null, plain],
    ['', plain],
    ['*/*', plain],
    ['application/*', plain],
    ['text/event-stream', stream],
    [`text/event-stream, ${plain}`, plain],
    [`text/event-stream, ${plain};q=0.5`, stream],
    [`text/event-stream, ${modern}`, modern],
    ['multipart/mixed', plain],
    ['text/html,application/xhtml+xml,*/*;q=0.8', plain],
    [plain, plain],
    [modern, modern],
    [`${modern}; charset=utf-8`, modern],
    ['APPLICATION/GRAPHQL-RESPONSE+JSON', modern],
    [`${modern}, ${plain}`, modern],
    [`${plain}, ${modern}`, plain],
    [`${plain};q=0.9, ${modern}`, modern],
    [`${modern};q=0.5, ${plain}`, plain],
    [`${modern};q=0`, plain],
    [`${plain};q=0, */*`, modern],
    [`${plain}, ${modern};q=0.1`, plain],
    [`${modern};q=0.2, application/*;q=0.9`, plain],
    ['text/event-stream;q=0', plain],
    ['text/event-stream;q=0, */*', plain],
    ['text/event-stream, */*', stream],
    ['text/event-stream;q=0.1, */*', plain],
    ['*/*, text/event-stream;q=0.1', plain],
    [`${plain}, text/event-stream;q=0.1`, plain],
    [`${modern};q=0.5, text/event-stream`, stream],
    [`${modern};q=0.5, text/event-stream;q=0.5`, modern],
  ])('the response to "Accept: %s" has the type %s', (accept, type) => {
    expect(answerType(accept)).toBe(type);
  });
});
