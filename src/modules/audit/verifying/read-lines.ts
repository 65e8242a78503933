const lineFeed = 0x0a;

/** The lines of a file as it is read, without their line feeds. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[], void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      lines.push(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [rest.toString()];
}
