/** Why an expression has no value, in words for whoever wrote it. */
export class ExpressionFault extends Error {}

const functions: Record<string, (...values: number[]) => number> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: (value, digits = 0) => Math.round(withoutNoise(value * 10 ** digits)) / 10 ** digits,
  floor: Math.floor,
  ceil: Math.ceil,
  min: Math.min,
  max: Math.max,
  ln: Math.log,
  log10: Math.log10,
  exp: Math.exp,
};
const constants: Record<string, number> = { pi: Math.PI, e: Math.E };
const argumentsOf: Record<string, [number, number]> = {
  round: [1, 2],
  min: [1, 100],
  max: [1, 100],
};

const depthMax = 100;
const token =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%^(),]))/y;

/**
 * The value of an arithmetic expression, to 15 digits, which is what a double holds. Nothing of it
 * is ever run as code.
 */
export function evaluate(expression: string): string {
  const value = new Expression(tokensOf(expression)).value();
  if (!Number.isFinite(value)) throw new ExpressionFault('The expression has no finite value');
  return String(withoutNoise(value));
}

// 0.1 + 0.2 is 0.30000000000000004 in a double; its first 15 digits are right.
const withoutNoise = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found)
      throw new ExpressionFault(`Character ${at + 1} is no part of an arithmetic expression`);
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}

/** Descends from sums to products to powers to single values. */
class Expression {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  value(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length)
      throw new ExpressionFault(`"${this.#tokens[this.#at]}" is not expected there`);
    return value;
  }

  #takes(...wanted: string[]): string | undefined {
    const next = this.#tokens[this.#at];
    if (next === undefined || !wanted.includes(next)) return undefined;
    this.#at += 1;
    return next;
  }

  #sum(): number {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExpressionFault('The expression is nested too deeply');
    let value = this.#product();
    for (let sign = this.#takes('+', '-'); sign; sign = this.#takes('+', '-'))
      value = sign === '+' ? value + this.#product() : value - this.#product();
    this.#depth -= 1;
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#takes('*', '/', '%'); sign; sign = this.#takes('*', '/', '%')) {
      const right = this.#signed();
      if (sign !== '*' && right === 0) throw new ExpressionFault('Nothing can be divided by zero');
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right;
    }
    return value;
  }

  // A power binds more tightly than the sign before it: -2^2 is -4.
  #signed(): number {
    let sign = 1;
    for (let next = this.#takes('+', '-'); next; next = this.#takes('+', '-'))
      if (next === '-') sign = -sign;
    return sign * this.#power();
  }

  #power(): number {
    const base = this.#single();
    if (!this.#takes('^', '**')) return base;
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExpressionFault('The expression is nested too deeply');
    const value = base ** this.#signed();
    this.#depth -= 1;
    return value;
  }

  #single(): number {
    if (this.#takes('(')) return this.#closed(this.#sum());
    const next = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (/^[\d.]/.test(next)) return Number(next);
    const name = next.toLowerCase();
    if (Object.hasOwn(functions, name)) return this.#call(name);
    const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
    if (constant === undefined)
      throw new ExpressionFault(
        next === '' ? 'The expression ends too early' : `"${next}" is not expected there`,
      );
    return constant;
  }

  #call(name: string): number {
    if (!this.#takes('(')) throw new ExpressionFault(`${name} needs parentheses`);
    const values = [this.#sum()];
    while (this.#takes(',')) values.push(this.#sum());
    const [least, most] = argumentsOf[name] ?? [1, 1];
    if (values.length < least || values.length > most)
      throw new ExpressionFault(
        `${name} takes ${least === most ? least : `${least} to ${most}`} values`,
      );
    return this.#closed(functions[name]?.(...values) ?? Number.NaN);
  }

  #closed(value: number): number {
    if (!this.#takes(')')) throw new ExpressionFault('A parenthesis is not closed');
    return value;
  }
}
