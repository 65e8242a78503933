import { SaxesParser } from 'saxes';
import { ExtractError } from './extract-error.ts';

/** Names have no prefix, because each program chooses its own prefixes for the same namespaces. */
export type XmlEvent =
  | { type: 'open'; name: string; attributes: Record<string, string> }
  | { type: 'text'; text: string }
  | { type: 'close'; name: string };

/** Normal documents stay below 100, even with tables in text boxes in tables. */
const depthMax = 1000;

/**
 * Parses a part of a packed document as a stream and yields the events of each chunk as one list.
 * All entities except XML's five predefined ones are rejected: office formats need no others, and
 * entities can multiply text and fetch files. A document type may name a file, which OpenOffice 2
 * does and which is never fetched, and may declare nothing itself.
 */
export async function* xmlEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<XmlEvent[]> {
  let events: XmlEvent[] = [];
  let depth = 0;
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new ExtractError('DAMAGED');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > depthMax) throw new ExtractError('TOO_COMPLEX');
    events.push({ type: 'open', name: local(name), attributes });
  });
  parser.on('text', (text) => events.push({ type: 'text', text }));
  parser.on('cdata', (text) => events.push({ type: 'text', text }));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.push({ type: 'close', name: local(name) });
  });
  parser.on('error', () => {
    throw new ExtractError('DAMAGED');
  });

  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    if (events.length > 0) yield events;
    events = [];
  }
  parser.write(decoder?.decode() ?? '').close();
  if (events.length > 0) yield events;
}

/**
 * Returns the value of an attribute by its name without prefix. For `r:id` use the name `:id`; `id`
 * does not match it.
 */
export function attributeOf(attributes: Record<string, string>, name: string) {
  const direct = attributes[name];
  if (direct !== undefined) return direct;
  const ending = name.startsWith(':') ? name : `:${name}`;
  for (const key in attributes) if (key.endsWith(ending)) return attributes[key];
  return undefined;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** XML is UTF-8 unless its first bytes indicate UTF-16. */
function encodingOf(chunk: Uint8Array) {
  const [first, second] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}
