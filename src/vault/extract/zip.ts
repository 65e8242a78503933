import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import type { ExtractLimits, SourceFile } from './block.ts';
import { ExtractError } from './extract-error.ts';

/**
 * Normal office files have lower compression ratios; the limit of deflate is about 1,032. Small
 * parts may exceed this ratio.
 */
const ratioMax = 250;
const ratioCountsFromBytes = 16 * 1024 * 1024;

/** The first bytes of a ZIP file. */
export const packedMark = Buffer.from('PK\x03\x04', 'latin1');

/** An open ZIP file. Its parts are read as streams, and nothing is written to disk. */
export type ZipArchive = {
  /**
   * The names of the parts, without folders. They are used as keys, never as paths on this machine.
   */
  names: readonly string[];
  has(name: string): boolean;
  /** The bytes of a part. A missing part is DAMAGED; check optional parts with `has` first. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /** The first bytes of a part, at most `bytesMax`. */
  head(name: string, bytesMax: number): Promise<Buffer>;
  /** The unpacked size of a part as the file declares it; 0 for a missing part. */
  bytesOf(name: string): number;
  close(): void;
};

type ZipLimits = Pick<ExtractLimits, 'unpackedBytesMax' | 'partsMax'>;

/**
 * Opens a ZIP file within limits. The unpacked size is counted while parts are unpacked, over all
 * parts together; sizes in headers are not trusted. Every read counts, so reading a part twice
 * counts twice.
 */
export async function openZip(
  { path }: SourceFile,
  { unpackedBytesMax, partsMax }: ZipLimits,
): Promise<ZipArchive> {
  const file = await openPromise(path, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(throwExtractError);
  const parts = await directoryOf(file, partsMax).catch((fault: unknown) => {
    file.close();
    throw fault;
  });
  let unpackedBytes = 0;

  async function* read(name: string) {
    const entry = parts.get(name);
    if (!entry) throw new ExtractError('DAMAGED');
    if (entry.isEncrypted()) throw new ExtractError('ENCRYPTED');
    const chunks: AsyncIterable<Buffer> = await file
      .openReadStreamPromise(entry)
      .catch(throwExtractError);
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
      throwExtractError(fault);
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
    bytesOf: (name) => parts.get(name)?.uncompressedSize ?? 0,
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
      // With two parts of the same name, different programs would see different documents.
      if (parts.has(name)) throw new ExtractError('DAMAGED');
      parts.set(name, entry);
    }
  } catch (fault) {
    throwExtractError(fault);
  }
  rejectOverlaps(entries);
  return parts;
}

/**
 * Rejects entries that share bytes, which let a small file unpack to petabytes (Fifield, "A better
 * zip bomb", 2019).
 */
function rejectOverlaps(entries: Entry[]) {
  let end = 0;
  for (const entry of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end) throw new ExtractError('TOO_COMPLEX');
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize;
  }
}

/**
 * Errors of the ZIP reader and of zlib mean that the file is damaged. Errors of this machine
 * (EMFILE, EIO) are passed on.
 */
function throwExtractError(fault: unknown): never {
  if (fault instanceof ExtractError) throw fault;
  if (!(fault instanceof Error)) throw fault;
  if ('syscall' in fault) throw fault;
  throw new ExtractError(fault.message.startsWith('strong encryption') ? 'ENCRYPTED' : 'DAMAGED');
}
