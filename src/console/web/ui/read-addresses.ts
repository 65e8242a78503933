/**
 * Reads the e-mail addresses of a list: one in a line, or the first address of each line of a CSV
 * file. Lines without an address, such as the names of columns, are left out, and so is an address
 * that is already in the list.
 */
export function readAddresses(text: string): string[] {
  const addresses = new Map<string, string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const address = line.split(/[,;\t<>"\s]+/).find((cell) => /^[^@]+@[^@]+\.[^@.]+$/.test(cell));
    if (address) addresses.set(address.toLowerCase(), address);
  }
  return [...addresses.values()];
}
