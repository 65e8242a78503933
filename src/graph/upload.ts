import { AppError, inputError } from '../platform/errors.ts';
import { scalar } from './scalars.ts';

/** 150 MB, as the contract counts them. */
export const fileBytesMax = 157_286_400;

/** A file that is on its way in. Its content can be read once, as it comes. */
export type IncomingFile = {
  originalName: string;
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
};

/** What a part of a form says of itself, and its bytes, which end when the form has ended well. */
export type Part = {
  name: string | undefined;
  mimeType: string;
  content: AsyncIterable<Uint8Array>;
};

/**
 * The value of an argument that is a file. Nothing of the request's body was read before a rule
 * opens it.
 */
export class Upload {
  readonly #open: () => Promise<Part>;
  /**
   * The file has at least so many bytes by what its request announces; 0 where that is not known.
   */
  readonly bytesMin: number;

  constructor(open: () => Promise<Part>, bytesMin = 0) {
    this.#open = open;
    this.bytesMin = Math.max(0, bytesMin);
  }

  /** The same file, of which `pass` sees the part as it was sent. */
  passedThrough(pass: (part: Part) => Part): Upload {
    return new Upload(async () => pass(await this.#open()), this.bytesMin);
  }

  async open(): Promise<IncomingFile> {
    const { name, mimeType, content } = await this.#open();
    return {
      originalName: harmlessName(unescapedName(name ?? '')),
      mimeType: wellFormedType(mimeType),
      content: checked(content),
    };
  }
}

export const UploadScalar = scalar<Upload>(
  'Upload',
  {
    expectation: 'a file',
    description: `A file of 1 to ${fileBytesMax} bytes, sent as a part of a multipart form. In its file name %22 stands for a quote, as browsers write it; a name that really holds %22 cannot be told apart.`,
    jsonSchema: { type: 'string', contentMediaType: 'application/octet-stream' },
  },
  (value) => (value instanceof Upload ? value : undefined),
);

/** Bytes are counted as they come, whatever the headers announce. */
async function* checked(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > fileBytesMax) throw tooLarge();
    yield chunk;
  }
  if (bytes === 0) throw inputError('file', 'TOO_SHORT', 'The file is empty');
}

export const tooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', `The file is larger than ${fileBytesMax} bytes`);

/**
 * Browsers and Node's fetch write a quote, a carriage return and a line feed in a file's name as
 * %22, %0D and %0A, and leave a percent sign as it is
 * (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). So
 * a name that really holds "%22" looks the same on the wire as one that holds a quote. The quote is
 * the more frequent of the two.
 */
const unescapedName = (name: string): string =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

// Controls, and marks that turn the direction of what follows: `gpj.exe` can look like `exe.jpg`.
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const nameCharactersMax = 255;
const endingCharactersMax = 20;

/** The last part of a name that somebody else made, fit to be shown and stored; never a path. */
export function harmlessName(name: string): string {
  const last = shortened(name).toWellFormed().replace(unseen, '').split(/[/\\]/).at(-1) ?? '';
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
 * Normalizing takes quadratic time on combining marks. Of a very long name the beginning and the
 * end are enough.
 */
const shortened = (name: string): string =>
  name.length <= unitsMax ? name : name.slice(0, unitsMax / 2) + name.slice(-unitsMax / 2);

const typeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

function wellFormedType(type: string): string {
  const lower = type.toLowerCase();
  return typeForm.test(lower) ? lower : 'application/octet-stream';
}
