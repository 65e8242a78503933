/** A response, with a description of its request. */
export class Answer {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  readonly arrivedAt = Date.now();

  constructor({
    request,
    status,
    headers,
    text,
  }: { request: string; status: number; headers: Headers; text: string }) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = parseJson(text);
  }

  /** The value at a path such as `users.0.email`. */
  at(path: string): unknown {
    return path
      .split('.')
      .reduce<unknown>(
        (value, name) => (value === undefined || value === null ? undefined : Object(value)[name]),
        this.body,
      );
  }

  /** The text at a path. Throws if there is none; for ids that later requests need. */
  textAt(path: string): string {
    const value = this.at(path);
    if (typeof value !== 'string')
      throw new Error(
        `${this.request} answered ${this.status} without ${path}: ${this.text.slice(0, 300)}`,
      );
    return value;
  }

  listAt(path: string): unknown[] {
    const value = this.at(path);
    return Array.isArray(value) ? value : [];
  }

  integerHeader(name: string): number {
    return Number(this.headers.get(name) ?? Number.NaN);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
