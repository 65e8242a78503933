/**
 * The error of an expression that cannot be evaluated. Its message is for the author of the
 * expression.
 */
export class ExpressionError extends Error {}

const functions: Record<string, (...values: number[]) => number> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: (value, digits = 0) => Math.round(roundToPrecision(value * 10 ** digits)) / 10 ** digits,
  floor: Math.floor,
  ceil: Math.ceil,
  min: Math.min,
  max: Math.max,
  ln: Math.log,
  log10: Math.log10,
  exp: Math.exp,
};
const constants: Record<string, number> = { pi: Math.PI, e: Math.E };
const argumentCounts: Record<string, [number, number]> = {
  round: [1, 2],
  min: [1, 100],
  max: [1, 100],
};

const depthMax = 100;
const token =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%^(),]))/y;

/**
 * Evaluates an arithmetic expression to 15 digits, the precision of a double. No part of it is
 * executed as code.
 */
export function evaluate(expression: string): string {
  const value = new Expression(tokensOf(expression)).value();
  if (!Number.isFinite(value)) throw new ExpressionError('The expression has no finite value');
  return String(roundToPrecision(value));
}

// 0.1 + 0.2 is 0.30000000000000004 as a double; its first 15 digits are right.
const roundToPrecision = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (!match)
      throw new ExpressionError(`Character ${start + 1} is no part of an arithmetic expression`);
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return tokens;
}

/** A recursive-descent parser: sums consist of products, products of powers, powers of operands. */
class Expression {
  readonly #tokens: readonly string[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  value(): number {
    const value = this.#sum();
    if (this.#position < this.#tokens.length)
      throw new ExpressionError(`"${this.#tokens[this.#position]}" is not expected there`);
    return value;
  }

  #accept(...expected: string[]): string | undefined {
    const next = this.#tokens[this.#position];
    if (next === undefined || !expected.includes(next)) return undefined;
    this.#position += 1;
    return next;
  }

  #sum(): number {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExpressionError('The expression is nested too deeply');
    let value = this.#product();
    for (let sign = this.#accept('+', '-'); sign; sign = this.#accept('+', '-'))
      value = sign === '+' ? value + this.#product() : value - this.#product();
    this.#depth -= 1;
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#accept('*', '/', '%'); sign; sign = this.#accept('*', '/', '%')) {
      const right = this.#signed();
      if (sign !== '*' && right === 0) throw new ExpressionError('Nothing can be divided by zero');
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right;
    }
    return value;
  }

  // A power binds more tightly than the sign before it: -2^2 is -4.
  #signed(): number {
    let sign = 1;
    for (let next = this.#accept('+', '-'); next; next = this.#accept('+', '-'))
      if (next === '-') sign = -sign;
    return sign * this.#power();
  }

  #power(): number {
    const base = this.#operand();
    if (!this.#accept('^', '**')) return base;
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExpressionError('The expression is nested too deeply');
    const value = base ** this.#signed();
    this.#depth -= 1;
    return value;
  }

  #operand(): number {
    if (this.#accept('(')) return this.#requireClosingParenthesis(this.#sum());
    const next = this.#tokens[this.#position] ?? '';
    this.#position += 1;
    if (/^[\d.]/.test(next)) return Number(next);
    const name = next.toLowerCase();
    if (Object.hasOwn(functions, name)) return this.#call(name);
    const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
    if (constant === undefined)
      throw new ExpressionError(
        next === '' ? 'The expression ends too early' : `"${next}" is not expected there`,
      );
    return constant;
  }

  #call(name: string): number {
    if (!this.#accept('(')) throw new ExpressionError(`${name} needs parentheses`);
    const values = [this.#sum()];
    while (this.#accept(',')) values.push(this.#sum());
    const [argumentsMin, argumentsMax] = argumentCounts[name] ?? [1, 1];
    if (values.length < argumentsMin || values.length > argumentsMax)
      throw new ExpressionError(
        `${name} takes ${argumentsMin === argumentsMax ? argumentsMin : `${argumentsMin} to ${argumentsMax}`} values`,
      );
    return this.#requireClosingParenthesis(functions[name]?.(...values) ?? Number.NaN);
  }

  #requireClosingParenthesis(value: number): number {
    if (!this.#accept(')')) throw new ExpressionError('A parenthesis is not closed');
    return value;
  }
}
