/**
 * The format of messages between a reader and its parent: a length of four bytes, then that many
 * bytes of JSON.
 */
const headBytes = 4;
/**
 * Enough for two million characters of text as JSON, the largest message. Batches of passages are
 * far smaller.
 */
const frameBytesMax = 32 * 1024 * 1024;

export function frameOf(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Reads the body length from the head of a frame. */
export const bodyBytesOf = (head: Buffer): number => head.readUInt32BE();

/**
 * Returns a function that takes bytes as they arrive and calls `onFrame` for each complete frame.
 * It throws if a frame declares a length above the maximum.
 */
export function createFrameReader(onFrame: (body: Buffer) => void): (bytes: Buffer) => void {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = headBytes;
  let isInBody = false;
  return (bytes) => {
    chunks.push(bytes);
    bufferedBytes += bytes.length;
    if (bufferedBytes < neededBytes) return;
    let rest = Buffer.concat(chunks);
    while (rest.length >= neededBytes) {
      const bytesOfPart = rest.subarray(0, neededBytes);
      rest = rest.subarray(neededBytes);
      if (isInBody) onFrame(bytesOfPart);
      neededBytes = isInBody ? headBytes : bodyBytesOf(bytesOfPart);
      isInBody = !isInBody;
      if (neededBytes > frameBytesMax) throw new RangeError('A frame exceeds the maximum length');
    }
    chunks = [rest];
    bufferedBytes = rest.length;
  };
}
