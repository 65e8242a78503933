/** Programs keep files of their own in folders, with names that begin with a dot. */
export const isHiddenFile = ({ name }: { name: string }): boolean => name.startsWith('.');

/**
 * The files that were dropped, and all files in the folders that were dropped. It must be called
 * while the event is handled, because the browser forgets what was dropped afterwards.
 */
export function readDropped({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve([...files]);
  return readEntries(entries);
}

async function readEntries(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const found: File[] = [];
  for (const entry of entries) {
    if (isHiddenFile(entry)) continue;
    if (isFolder(entry)) found.push(...(await readEntries(await entriesOf(entry))));
    else if (isFile(entry)) found.push(await new Promise<File>((...done) => entry.file(...done)));
  }
  return found;
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // The browser gives at most a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
