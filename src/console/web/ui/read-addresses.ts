type AddressList = {
  addresses: string[];
  /** The lines in which no complete address was found, except for the names of columns. */
  skippedLines: string[];
};

/**
 * Reads the e-mail addresses of a list: one in a line, all of a line that has nothing else, or the
 * first address of each line of a CSV file. An address counts once.
 */
export function readAddresses(text: string): AddressList {
  const addresses = new Map<string, string>();
  const skippedLines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const found = addressesIn(line);
    for (const address of found) addresses.set(address.toLowerCase(), address);
    if (found.length === 0 && line.trim() !== '') skippedLines.push(line.trim());
  }
  // A list of people has names of columns, if any, in its first line, and none of them is an address.
  const hasColumnNames = !skippedLines[0]?.includes('@') && firstLineOf(text) === skippedLines[0];
  return {
    addresses: [...addresses.values()],
    skippedLines: hasColumnNames ? skippedLines.slice(1) : skippedLines,
  };
}

const firstLineOf = (text: string) => /^\s*([^\r\n]*)/.exec(text)?.[1]?.trim();

const isAddress = (cell: string) => /^[^@]+@[^@]+\.[^@.]+$/.test(cell);

function addressesIn(line: string): string[] {
  // Mail programs write "Ada <ada@x.example>; Bo <bo@x.example>".
  const inBrackets = [...line.matchAll(/<([^<>\s]+)>/g)].map(([, address = '']) => address);
  if (inBrackets.length > 1) return inBrackets.filter(isAddress);
  const cells = line.split(/[,;\t<>"\s]+/).filter((cell) => cell !== '');
  const found = cells.filter(isAddress);
  return found.length === cells.length ? found : found.slice(0, 1);
}
