import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFaultPosition, parseJson } from '../../src/platform/parse-json.ts';

const faultIn = (text: string): string => {
  try {
    JSON.parse(text);
    return 'none';
  } catch (error) {
    return String(error);
  }
};

describe('jsonFaultPosition', () => {
  it.each([
    ['', 0],
    ['nonsense', 1],
    ['{"name":"Spring",}', 17],
    ['{"a"', 4],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1,2', 4],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['{"a":tru}', 8],
    ['[1.]', 3],
    ['[2e-', 4],
    ['[-]', 2],
    ['{"a":01}', 6],
    ['"\u0001"', 1],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['"open', 5],
    ['{"a":1} x', 8],
    ['[1}', 2],
  ])('the fault position of %j is %i', (text, position) => {
    expect(jsonFaultPosition(text)).toBe(position);
  });

  it('the fault position is within one character of the position that JSON.parse reports', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '!', '}', ']', ','),
        (json, at, inserted) => {
          const cut = at % (json.length + 1);
          const text = json.slice(0, cut) + inserted + (inserted === '' ? '' : json.slice(cut));
          const fault = faultIn(text);
          if (fault === 'none') return;
          const position = jsonFaultPosition(text);
          expect(position).toBeLessThanOrEqual(text.length);
          const [, reportedPosition] = /at position (\d+)/.exec(fault) ?? [];
          if (reportedPosition !== undefined && !fault.includes('Unterminated'))
            expect(Math.abs(Number(reportedPosition) - position)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('the fault position is found in a megabyte of nested brackets', () => {
    expect(jsonFaultPosition('['.repeat(1_000_000))).toBe(1_000_000);
    expect(jsonFaultPosition(`"${'\\n'.repeat(500_000)}`)).toBe(1_000_001);
  });

  it('the error message contains the position but not the text', () => {
    expect(() => parseJson('{"password":"hunter2"', 'body')).toThrow(
      'The body is not valid JSON at position 21',
    );
    expect(() => parseJson('[', 'messages')).toThrow('messages is not valid JSON at position 1');
  });
});
