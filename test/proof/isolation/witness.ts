import { wordsOf } from './canaries.ts';

export type Heard = { status: number; headers: Headers; text: string };

/**
 * A tenant that is looked for: what its canaries begin with, and its rare words with their columns.
 */
export type Wanted = { mark: string; words: ReadonlyMap<string, string> };

/**
 * Reads along, and notes everything of a tenant that comes out: from which column, and in which
 * field.
 */
export function witnessOf({ mark, words }: Wanted) {
  const canary = new RegExp(`${mark}[\\w-]*`, 'gi');
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${mark}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const crossings = new Map<string, string>();
  let looked = 0;

  function traces(text: string, sent: string): string[] {
    if (text === '') return [];
    const canaries = (text.match(canary) ?? []).map((found) => ({
      found,
      column: columnOf(found, mark),
    }));
    const rare = wordsOf(text).flatMap((found) => {
      const column = words.get(found);
      return column === undefined ? [] : [{ found, column }];
    });
    const hidden = encoded
      .filter((piece) => text.includes(piece))
      .map((found) => ({ found, column: 'something in base64' }));
    // What somebody sends may come back to them.
    return [
      ...new Set(
        [...canaries, ...rare, ...hidden]
          .filter(({ found }) => !sent.includes(found))
          .map(({ column }) => column),
      ),
    ];
  }

  function note(text: string, field: string, where: string, sent: string): void {
    for (const column of traces(text, sent)) {
      const crossing = `${column} → ${field}`;
      if (!crossings.has(crossing)) crossings.set(crossing, where);
    }
  }

  return {
    /** Each way by which something came out, with the first place where it did. */
    crossings,
    looked: () => looked,
    hear(where: string, sent: string, { headers, text }: Heard): void {
      looked += 1;
      for (const [name, value] of headers) note(value, `header ${name}`, where, sent);
      if (traces(text, sent).length === 0) return;
      const json = parsed(text);
      if (json === undefined) note(text, 'body', where, sent);
      else for (const { field, value } of fieldsIn(json)) note(value, field, where, sent);
    },
    /** A line that the server writes about its work. */
    hearLine: (line: string) => note(line, 'log', line.slice(0, 200), ''),
  };
}

export type Witness = ReturnType<typeof witnessOf>;

function columnOf(canary: string, mark: string): string {
  const [, name] =
    /^[a-z]?-(.+?)(?:-[0-9a-f]{6})?$/.exec(canary.toLowerCase().slice(mark.length)) ?? [];
  return name ?? 'a part of a canary';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Every text of an answer with its field: that of the type that stands beside it or, where none
 * does, of the key above it.
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

/** An answer without what differs from one request to the next, to be held against another one. */
export function comparable({ status, headers, text }: Heard, sent: readonly string[]): string {
  const strip = (part: string) =>
    sent
      .reduce(
        (rest, word) =>
          rest.replaceAll(word, '‹sent›').replaceAll(encodeURIComponent(word), '‹sent›'),
        part,
      )
      .replaceAll(headers.get('x-request-id') ?? '‹none›', '‹request›')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '‹time›')
      .replace(/"(tookMs|latencyMs|uptimeSeconds)":[\d.]+/g, '"$1":0');
  const kept = [...headers].filter(
    ([name]) =>
      !/^(x-request-id|x-ratelimit-(remaining|reset)|content-length|date|set-cookie)$/.test(name),
  );
  const cookies = headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
  return JSON.stringify([
    status,
    kept.map(([name, value]) => [name, strip(value)]).sort(),
    cookies,
    strip(text),
  ]);
}
