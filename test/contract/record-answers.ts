import { writeFileSync } from 'node:fs';
import type { Answer } from './answer.ts';

/** Headers that depend on a proxy, the network or the clock. */
const unstableHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'set-cookie',
]);

/**
 * Collects responses to compare two versions of the server: request, status, headers and body.
 * Identifiers, times, keys and hashes differ in each run, so they are replaced.
 */
export class AnswerRecording {
  readonly #lines: string[] = [];

  /** @param prefix the prefix of the names of everything that the suite creates. */
  add(answer: Answer, prefix: string): void {
    const headers = [...answer.headers]
      .filter(([name]) => !unstableHeaders.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ');
    const line = `${answer.request} => ${answer.status} | ${headers} | ${answer.text}`;
    this.#lines.push(replaceVariables(line.replaceAll(prefix, '<prefix>')));
  }

  /** The lines are sorted, because some areas send requests concurrently. */
  write(file: string): void {
    writeFileSync(file, `${this.#lines.sort().join('\n')}\n`);
  }
}

const replacements: readonly [RegExp, string][] = [
  [/[\r\n]+/g, ' '],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>'],
  [/\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, '<time>'],
  [/("\w*password":")[^"]*/gi, '$1<password>'],
  [/sk_[a-z_]+_[A-Za-z0-9_-]+/g, '<key>'],
  [/(sponsored=)[^"&;\s]+/g, '$1<token>'],
  [/(127\.0\.0\.1|localhost):\d+/g, '<address>'],
  [/\b[A-Za-z0-9_-]{22,}\b/g, '<token>'],
  [/\b\d{10,}\b/g, '<number>'],
];

function replaceVariables(line: string): string {
  return replacements.reduce(
    (text, [pattern, replacement]) => text.replaceAll(pattern, replacement),
    line,
  );
}
