/** What a reader and its parent send each other: a length of four bytes, then that many bytes. */
const headBytes = 4;
/** The first two million characters of a document as JSON; passages come in batches far smaller. */
const frameBytesMax = 32 * 1024 * 1024;

export function frameOf(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** The length that a frame's head says. */
export const bodyBytesOf = (head: Buffer): number => head.readUInt32BE();

/**
 * Takes bytes as they come and gives each whole frame; throws where a frame says that it is longer
 * than any may be.
 */
export function createFrameReader(onFrame: (body: Buffer) => void): (bytes: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = headBytes;
  let inBody = false;
  return (bytes) => {
    chunks.push(bytes);
    held += bytes.length;
    if (held < wanted) return;
    let rest = Buffer.concat(chunks);
    while (rest.length >= wanted) {
      const part = rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
      if (inBody) onFrame(part);
      wanted = inBody ? headBytes : bodyBytesOf(part);
      inBody = !inBody;
      if (wanted > frameBytesMax) throw new RangeError('A frame is longer than any may be');
    }
    chunks = [rest];
    held = rest.length;
  };
}
