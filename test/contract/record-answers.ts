import { writeFileSync } from 'node:fs';
import type { Answer } from './answer.ts';

/** Headers that a proxy, the network or the clock decides. */
const unstableHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
]);

/**
 * Collects answers for a comparison of two versions of the server: request, status, headers and
 * body, with identifiers, times, keys and hashes replaced, since each run has its own.
 */
export class AnswerRecording {
  readonly #lines: string[] = [];

  /** @param prefix begins the name of everything that the suite makes. */
  add(answer: Answer, prefix: string): void {
    const headers = [...answer.headers]
      .filter(([name]) => !unstableHeaders.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ');
    const line = `${answer.request} => ${answer.status} | ${headers} | ${answer.text}`;
    this.#lines.push(stable(line.replaceAll(prefix, '<prefix>')));
  }

  /** Sorted, because areas of the suite send some requests at the same time. */
  write(file: string): void {
    writeFileSync(file, `${this.#lines.sort().join('\n')}\n`);
  }
}

const replacements: readonly [RegExp, string][] = [
  [/[\r\n]+/g, ' '],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>'],
  [/\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, '<time>'],
  [/sk_[a-z_]+_[A-Za-z0-9_-]+/g, '<key>'],
  [/(sponsored=)[^"&;\s]+/g, '$1<token>'],
  [/(127\.0\.0\.1|localhost):\d+/g, '<address>'],
  [/\b[A-Za-z0-9_-]{22,}\b/g, '<token>'],
  [/\b\d{10,}\b/g, '<number>'],
];

function stable(line: string): string {
  return replacements.reduce((text, [pattern, to]) => text.replaceAll(pattern, to), line);
}
