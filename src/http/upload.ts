import { AppError, inputError } from '../platform/errors.ts';

/** 150 MB, as in the API contract. */
export const fileBytesMax = 157_286_400;

export const isUploadForm = (request: Request): boolean =>
  request.method === 'POST' &&
  /^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? '');

/** A file that is being uploaded. Its content can be read once, as a stream. */
export type IncomingFile = {
  originalName: string;
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
};

/** A file as the client sent it. The content ends only if the request is complete. */
export type UncheckedFile = {
  name: string | undefined;
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
};

/**
 * The value of an argument that is a file. The request body is not read before `open` is called.
 */
export class Upload {
  readonly #open: () => Promise<UncheckedFile>;
  /** The minimum size of the file according to the request headers; 0 if unknown. */
  readonly bytesMin: number;

  constructor(open: () => Promise<UncheckedFile>, bytesMin = 0) {
    this.#open = open;
    this.bytesMin = Math.max(0, bytesMin);
  }

  /** The same file, transformed by `transform`. */
  map(transform: (file: UncheckedFile) => UncheckedFile): Upload {
    return new Upload(async () => transform(await this.#open()), this.bytesMin);
  }

  /** `field` is the name of the file in errors. */
  async open(field = 'file'): Promise<IncomingFile> {
    const { name, mimeType, content } = await this.#open();
    return {
      originalName: sanitizeFileName(unescapeFileName(name ?? '')),
      mimeType: normalizeMediaType(mimeType),
      content: limitSize(content, field),
    };
  }
}

/** Counts the received bytes, whatever the headers announce. */
async function* limitSize(
  content: AsyncIterable<Uint8Array>,
  field: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > fileBytesMax) throw tooLarge();
    yield chunk;
  }
  if (bytes === 0) throw inputError(field, 'TOO_SHORT', 'The file is empty');
}

export const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', `The file is larger than ${fileBytesMax} bytes`);

/**
 * Browsers and Node's fetch encode a quote, a carriage return and a line feed in a file name as
 * %22, %0D and %0A, and leave a percent sign unchanged
 * (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). So
 * a name that contains "%22" looks the same as one that contains a quote. The quote is more
 * frequent.
 */
const unescapeFileName = (name: string): string =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

// Control characters and direction marks: with them `gpj.exe` can look like `exe.jpg`.
const invisibleCharacters = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const nameCharactersMax = 255;
const endingCharactersMax = 20;

/** The last segment of a client-supplied file name, safe to display and store; never a path. */
export function sanitizeFileName(name: string): string {
  const last =
    shorten(name).toWellFormed().replace(invisibleCharacters, '').split(/[/\\]/).at(-1) ?? '';
  const plain = last.normalize('NFC').trim();
  if (/^\.*$/.test(plain)) return 'file';
  const characters = [...plain];
  if (characters.length <= nameCharactersMax) return plain;
  const dot = characters.lastIndexOf('.');
  const ending =
    dot > 0 && characters.length - dot <= endingCharactersMax ? characters.slice(dot) : [];
  return [...characters.slice(0, nameCharactersMax - ending.length), ...ending].join('');
}

const unitsMax = 2_000;

/**
 * Normalizing takes quadratic time on combining marks, so only the beginning and the end of a very
 * long name are used.
 */
const shorten = (name: string): string =>
  name.length <= unitsMax ? name : name.slice(0, unitsMax / 2) + name.slice(-unitsMax / 2);

const typeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

function normalizeMediaType(type: string): string {
  const lower = type.toLowerCase();
  return typeForm.test(lower) ? lower : 'application/octet-stream';
}
