import { describe, expect, it } from 'vitest';
import { ExpressionError, evaluate } from '../../../src/modules/runs/expression.ts';

describe('The tool calculate', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ** -1', '0.5'],
    ['--3', '3'],
    ['10 % 4', '2'],
    ['(1250 - 200) * 1.19', '1249.5'],
    ['round(2.345, 2)', '2.35'],
    ['round(1.005, 2)', '1.01'],
    ['max(1, 7, 3) - min(4, 2)', '5'],
    ['sqrt(16) + abs(-2) + floor(1.9) + ceil(1.1)', '9'],
    ['ln(e) + log10(1000) + exp(0)', '5'],
    ['1e3 * .5', '500'],
    ['9007199254740992', '9007199254740992'],
    ['PI', '3.14159265358979'],
  ])('The value of %s is %s', (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each([
    '',
    '1 +',
    '1 2',
    '(1',
    '1)',
    '1 / 0',
    '5 % 0',
    '9 ^ 9 ^ 9',
    'sqrt(-1)',
    'sqrt 4',
    'max()',
    'round(1, 2, 3)',
    'x + 1',
    'process.exit()',
    'constructor',
    '__proto__',
    '"a" + 1',
    '1; 2',
    '1..2',
    `${'('.repeat(5_000)}1`,
    `${'2^'.repeat(5_000)}2`,
  ])('The expression %s is refused with an ExpressionError', (expression) => {
    expect(() => evaluate(expression)).toThrow(ExpressionError);
  });
});
