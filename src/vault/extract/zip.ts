import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import type { ExtractLimits, Source } from './block.ts';
import { ExtractError } from './extract-error.ts';

/**
 * No office file that people write is packed tighter; deflate itself ends near 1,032. Small parts
 * may be, so they are let off.
 */
const ratioMax = 250;
const ratioCountsFromBytes = 16 * 1024 * 1024;

/**
 * A packed file, opened and judged: its parts are read as streams, nothing is ever written
 * anywhere.
 */
export type Zip = {
  /**
   * Names as the file has them; folders are left out. They are keys and never paths on this
   * machine.
   */
  names: readonly string[];
  has(name: string): boolean;
  /**
   * The part's bytes. A part that is not there is DAMAGED: who may do without it asks `has` first.
   */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** The first bytes of a part, at most `bytesMax`. */
  head(name: string, bytesMax: number): Promise<Buffer>;
  close(): void;
};

type ZipLimits = Pick<ExtractLimits, 'unpackedBytesMax' | 'partsMax'>;

/**
 * Opens a packed file within limits. What a part unpacks to is counted while it is unpacked, over
 * all parts together, and never believed from the headers; every read counts again, so reading a
 * part twice costs twice.
 */
export async function openZip(
  { path }: Source,
  { unpackedBytesMax, partsMax }: ZipLimits,
): Promise<Zip> {
  const file = await openPromise(path, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(refuse);
  const parts = await directoryOf(file, partsMax).catch((fault: unknown) => {
    file.close();
    throw fault;
  });
  let unpackedBytes = 0;

  async function* read(name: string) {
    const entry = parts.get(name);
    if (!entry) throw new ExtractError('DAMAGED');
    if (entry.isEncrypted()) throw new ExtractError('ENCRYPTED');
    const chunks: AsyncIterable<Buffer> = await file.openReadStreamPromise(entry).catch(refuse);
    let bytes = 0;
    let checksum = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        unpackedBytes += chunk.length;
        if (
          unpackedBytes > unpackedBytesMax ||
          (bytes > ratioCountsFromBytes && bytes > entry.compressedSize * ratioMax)
        )
          throw new ExtractError('TOO_COMPLEX');
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
    } catch (fault) {
      refuse(fault);
    }
    if (bytes !== entry.uncompressedSize || checksum !== entry.crc32)
      throw new ExtractError('DAMAGED');
  }

  return {
    names: [...parts.keys()],
    has: (name) => parts.has(name),
    read,
    async head(name, bytesMax) {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of read(name)) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= bytesMax) break;
      }
      return Buffer.concat(chunks).subarray(0, bytesMax);
    },
    close: () => file.close(),
  };
}

async function directoryOf(file: ZipFile, partsMax: number) {
  if (file.entryCount > partsMax) throw new ExtractError('TOO_COMPLEX');
  const parts = new Map<string, Entry>();
  const entries: Entry[] = [];
  try {
    for await (const entry of file.eachEntry()) {
      const name = getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        false,
      );
      entries.push(entry);
      if (name.endsWith('/')) continue;
      // Two parts of one name: each reader would see another document.
      if (parts.has(name)) throw new ExtractError('DAMAGED');
      parts.set(name, entry);
    }
  } catch (fault) {
    refuse(fault);
  }
  refuseOverlaps(entries);
  return parts;
}

/**
 * Entries that share their bytes let a small file unpack to petabytes (Fifield, "A better zip
 * bomb", 2019).
 */
function refuseOverlaps(entries: Entry[]) {
  let end = 0;
  for (const entry of entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new ExtractError('TOO_COMPLEX');
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize;
  }
}

/**
 * The reader and zlib say in many words that bytes are not what they should be; faults of this
 * machine (EMFILE, EIO) are not the file's.
 */
function refuse(fault: unknown): never {
  if (fault instanceof ExtractError) throw fault;
  if (!(fault instanceof Error)) throw fault;
  if ('syscall' in fault) throw fault;
  throw new ExtractError(fault.message.startsWith('strong encryption') ? 'ENCRYPTED' : 'DAMAGED');
}
