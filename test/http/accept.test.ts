import { describe, expect, it } from 'vitest';
import { preferenceFor, preferredCoding, prefers } from '../../src/http/accept.ts';

describe('preferenceFor', () => {
  it.each([
    [null, 1, false],
    ['', 1, false],
    ['text/event-stream', 1, true],
    ['Text/Event-Stream ; Q=0.5', 0.5, true],
    ['text/event-stream;charset=utf-8;q=0.25', 0.25, true],
    ['text/event-stream;q=0', 0, true],
    ['text/event-stream;q=0.000', 0, true],
    ['text/*;q=0.3', 0.3, false],
    ['*/*;q=0.2', 0.2, false],
    ['*/*, text/*;q=0.5, text/event-stream;q=0.1', 0.1, true],
    ['application/json', 0, false],
    ['text/event-streams', 0, false],
    ['text/event-stream;q=nonsense', 1, true],
  ])('text/event-stream has in "Accept: %s" the quality %d', (accept, quality, isNamed) => {
    expect(preferenceFor(accept, 'text/event-stream')).toEqual({ quality, isNamed });
  });
});

describe('prefers', () => {
  it.each([
    [null, false],
    ['*/*', false],
    ['text/event-stream', true],
    ['text/*', true],
    ['text/event-stream, */*', true],
    ['application/json, text/event-stream', true],
    ['application/json;q=0.9, text/event-stream', true],
    ['application/json, text/event-stream;q=0.1', false],
    ['text/event-stream;q=0', false],
    ['text/event-stream;q=0, */*', false],
    ['text/event-stream;q=0, application/json;q=0', false],
    ['application/json;q=0, */*', true],
    ['x-text/event-stream', false],
  ])('a client with "Accept: %s" prefers an event stream to JSON: %s', (accept, isPreferred) => {
    expect(prefers(accept, 'text/event-stream', 'application/json')).toBe(isPreferred);
  });
});

describe('preferredCoding', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.9, br;q=0.8', 'gzip'],
    ['br, GZIP;q=0.5', 'br'],
    ['gzip;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0, br;q=0, *', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate, zstd', undefined],
  ])('With "Accept-Encoding: %s" a response is coded with %s', (header, coding) => {
    expect(preferredCoding(header, ['br', 'gzip'])).toBe(coding);
  });
});
