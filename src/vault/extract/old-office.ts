import { open } from 'node:fs/promises';

/** The stream that holds a document of today's Office when it is protected by a password. */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');
const directoryBytes = 8 * 1024;

/**
 * Whether a file in the form of old Office (MS-CFB) only wraps a protected document. Its streams
 * are named in a directory that may stand anywhere, behind the streams too: bytes 30 and 48 say how
 * large sectors are and which is its first.
 */
export async function isProtectedOffice(path: string, head: Buffer): Promise<boolean> {
  if (head.includes(encryptedPackage)) return true;
  const sectorShift = head.length >= 512 ? head.readUInt16LE(30) : 0;
  if (sectorShift !== 9 && sectorShift !== 12) return false;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(directoryBytes),
    0,
    directoryBytes,
    (head.readUInt32LE(48) + 1) * 2 ** sectorShift,
  );
  return buffer.subarray(0, bytesRead).includes(encryptedPackage);
}
