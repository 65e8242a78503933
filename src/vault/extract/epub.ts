import { posix } from 'node:path';
import type { TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { readHtml } from './html.ts';
import { packedDocument } from './packed-document.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** Reads an EPUB book: its title, and its chapters in reading order, without the contents. */
export const readEpub = packedDocument(async function* (zip) {
  const { title, chapters } = await bookOf(zip);
  const locked = await encryptedParts(zip);
  if (chapters.some((part) => locked.has(part))) throw new ExtractError('ENCRYPTED');
  if (title !== '') yield { kind: 'heading', level: 1, text: title } satisfies TextBlock;
  // The titles of the pages are those of the book, or names of files.
  for (const part of chapters) yield* readHtml(textOf(zip.read(part)), { readsTitle: false });
});

async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function packageOf(zip: ZipArchive): Promise<string> {
  for await (const events of xmlEvents(zip.read('META-INF/container.xml')))
    for (const event of events)
      if (event.type === 'open' && event.name === 'rootfile')
        return insideOf('', attributeOf(event.attributes, 'full-path') ?? '');
  throw new ExtractError('DAMAGED');
}

async function bookOf(zip: ZipArchive): Promise<{ title: string; chapters: string[] }> {
  const main = await packageOf(zip);
  const parts = new Map<string, string>();
  const order: string[] = [];
  let title = '';
  let isInTitle = false;
  let hasTitle = false;
  for await (const events of xmlEvents(zip.read(main)))
    for (const event of events) {
      if (event.type === 'text') {
        if (isInTitle) title += event.text;
        continue;
      }
      const { type, name } = event;
      if (name === 'title') {
        isInTitle = type === 'open' && !hasTitle;
        hasTitle = true;
      }
      if (type !== 'open') continue;
      const { attributes } = event;
      const isContents = /\bnav\b/.test(attributes['properties'] ?? '');
      if (name === 'item' && !isContents && /html/.test(attributes['media-type'] ?? ''))
        parts.set(attributes['id'] ?? '', insideOf(posix.dirname(main), attributes['href'] ?? ''));
      if (name === 'itemref') order.push(attributes['idref'] ?? '');
    }
  // A part that is named twice is read once.
  const chapters = [...new Set(order.flatMap((id) => parts.get(id) ?? []))];
  return {
    title: title.replaceAll(/\s+/g, ' ').trim(),
    chapters: chapters.filter((part) => zip.has(part)),
  };
}

/** Parts of protected books are encrypted. Of others, only fonts may be. */
async function encryptedParts(zip: ZipArchive): Promise<Set<string>> {
  const parts = new Set<string>();
  if (!zip.has('META-INF/encryption.xml')) return parts;
  for await (const events of xmlEvents(zip.read('META-INF/encryption.xml')))
    for (const event of events)
      if (event.type === 'open' && event.name === 'CipherReference')
        parts.add(insideOf('', attributeOf(event.attributes, 'URI') ?? ''));
  return parts;
}

/** The name of a part of this file; addresses of other sites lead to no part. */
function insideOf(folder: string, address: string): string {
  const [path = ''] = address.split('#');
  try {
    return posix.resolve('/', folder, decodeURIComponent(path)).slice(1);
  } catch {
    return path;
  }
}
