/** Downloads a file that the page created. */
export function saveFile(name: string, type: string, parts: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has started the download by then and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
