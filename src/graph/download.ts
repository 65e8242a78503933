import type { Readable } from 'node:stream';
import type { ByteRange } from '../platform/storage/storage.ts';
import { scalar } from './scalars.ts';

type Parts = {
  address: string;
  name: string;
  mimeType: string;
  bytes: number;
  tag: string;
  open: (range?: ByteRange) => Promise<Readable>;
};

/**
 * The value of a field that is a file. REST answers with its bytes; in JSON it is the address that
 * gives them.
 */
export class Download {
  readonly address: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** Changes with the bytes. */
  readonly tag: string;
  readonly open: Parts['open'];

  constructor({ address, name, mimeType, bytes, tag, open }: Parts) {
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
    description:
      'Where the bytes of a file are: a path that takes the key, or the session, by which it was asked for.',
    jsonSchema: { type: 'string' },
  },
  () => undefined,
);
