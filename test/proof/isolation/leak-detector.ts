import { wordsOf } from './canaries.ts';

export type ReceivedAnswer = { status: number; headers: Headers; text: string };

/**
 * What identifies a tenant: the prefix of its canaries, and its unique words with their columns.
 */
export type TenantMarks = { mark: string; words: ReadonlyMap<string, string> };

/** Searches answers for data of a tenant, and records from which column it came in which field. */
export function createLeakDetector({ mark, words }: TenantMarks) {
  const canary = new RegExp(`${mark}[\\w-]*`, 'gi');
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${mark}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const leaks = new Map<string, string>();
  let answerCount = 0;

  function leakedColumns(text: string, sentText: string): string[] {
    if (text === '') return [];
    const canaries = (text.match(canary) ?? []).map((match) => ({
      match,
      column: columnOf(match, mark),
    }));
    const identifying = wordsOf(text).flatMap((match) => {
      const column = words.get(match);
      return column === undefined ? [] : [{ match, column }];
    });
    const encodedMarks = encoded
      .filter((piece) => text.includes(piece))
      .map((match) => ({ match, column: 'a canary in base64' }));
    // An answer may repeat what the caller sent.
    return [
      ...new Set(
        [...canaries, ...identifying, ...encodedMarks]
          .filter(({ match }) => !sentText.includes(match))
          .map(({ column }) => column),
      ),
    ];
  }

  function addLeaks(text: string, field: string, where: string, sentText: string): void {
    for (const column of leakedColumns(text, sentText)) {
      const leak = `${column} → ${field}`;
      if (!leaks.has(leak)) leaks.set(leak, where);
    }
  }

  return {
    /** Each leak as column → field, with the first request where it happened. */
    leaks,
    answerCount: () => answerCount,
    checkAnswer(where: string, sentText: string, { headers, text }: ReceivedAnswer): void {
      answerCount += 1;
      for (const [name, value] of headers) addLeaks(value, `header ${name}`, where, sentText);
      if (leakedColumns(text, sentText).length === 0) return;
      const json = parseJson(text);
      if (json === undefined) addLeaks(text, 'body', where, sentText);
      else for (const { field, value } of fieldsIn(json)) addLeaks(value, field, where, sentText);
    },
    /** Checks a line of the server's log. */
    checkLogLine: (line: string) => addLeaks(line, 'log', line.slice(0, 200), ''),
  };
}

export type LeakDetector = ReturnType<typeof createLeakDetector>;

function columnOf(canary: string, mark: string): string {
  const [, name] =
    /^[a-z]?-(.+?)(?:-[0-9a-f]{6})?$/.exec(canary.toLowerCase().slice(mark.length)) ?? [];
  return name ?? 'a part of a canary';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Every text of an answer with its field, as `Type.field`; without `__typename` as `parent.key`.
 */
function* fieldsIn(
  value: unknown,
  field = 'body',
  owner = 'body',
): Generator<{ field: string; value: string }> {
  if (typeof value === 'string') yield { field, value };
  else if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item, field, owner);
  else if (typeof value === 'object' && value !== null) {
    const type = '__typename' in value ? String(value.__typename) : owner;
    for (const [key, inner] of Object.entries(value)) {
      yield { field: `${type}.${key}`, value: key };
      yield* fieldsIn(inner, `${type}.${key}`, /^[A-Z]/.test(type) ? type : key);
    }
  }
}

/** An answer without the parts that differ for every request, so that two can be compared. */
export function comparableAnswer(
  { status, headers, text }: ReceivedAnswer,
  sentText: readonly string[],
): string {
  const strip = (part: string) =>
    sentText
      .reduce(
        (rest, word) =>
          rest.replaceAll(word, '‹sent›').replaceAll(encodeURIComponent(word), '‹sent›'),
        part,
      )
      .replaceAll(headers.get('x-request-id') ?? '‹none›', '‹request›')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '‹time›')
      .replace(/"(tookMs|latencyMs|uptimeSeconds)":[\d.]+/g, '"$1":0');
  const comparableHeaders = [...headers].filter(
    ([name]) =>
      !/^(x-request-id|x-ratelimit-(remaining|reset)|content-length|date|set-cookie)$/.test(name),
  );
  const cookies = headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
  return JSON.stringify([
    status,
    comparableHeaders.map(([name, value]) => [name, strip(value)]).sort(),
    cookies,
    strip(text),
  ]);
}
