import { open } from 'node:fs/promises';

/** The stream that contains a password-protected document of current Office versions. */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');
const directoryBytes = 8 * 1024;

/**
 * Whether a file in the format of old Office versions (MS-CFB) only wraps a password-protected
 * document. Stream names are in a directory, which can be anywhere in the file. Byte 30 contains
 * the sector size, byte 48 the first sector of the directory.
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
