import type { Readable } from 'node:stream';
import type { ByteRange } from '../../platform/storage/stored-object.ts';
import { scalar } from './scalars.ts';

type DownloadProperties = {
  address: string;
  name: string;
  mimeType: string;
  bytes: number;
  tag: string;
  open: (range?: ByteRange) => Promise<Readable>;
};

/**
 * The value of a field that is a file. REST responds with the bytes; in JSON the value is the URL
 * path of the file.
 */
export class Download {
  readonly address: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** An entity tag, which changes with the content. */
  readonly tag: string;
  readonly open: DownloadProperties['open'];

  constructor({ address, name, mimeType, bytes, tag, open }: DownloadProperties) {
    this.address = address;
    this.name = name;
    this.mimeType = mimeType;
    this.bytes = bytes;
    this.tag = tag;
    this.open = open;
  }

  toJSON(): string {
    return this.address;
  }
}

export const DownloadScalar = scalar<never>(
  'Download',
  {
    expectation: 'nothing: it is only answered',
    description: 'The URL path of a file. Request it with the same key or session.',
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.3',
    jsonSchema: { type: 'string' },
  },
  () => undefined,
);
