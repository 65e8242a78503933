import type { Log } from '../../../platform/log.ts';
import { fileNameIn } from '../words.ts';
import type { StoredDocument } from './registry-file.ts';
import { isPassageFile } from './removals.ts';
import type { Threads } from './threads.ts';

/** Makes all files of a directory current before the first search. */
export async function upgradeFiles(
  { write }: Threads,
  entries: readonly string[],
  documents: readonly StoredDocument[],
  log: Log,
): Promise<void> {
  const fileNames = new Map(
    documents.flatMap(({ generation, facts }) => {
      const fileName = fileNameIn(facts);
      return fileName === undefined ? [] : [[generation, fileName] as const];
    }),
  );
  if (await write('isCurrent')) return;
  let isTold = false;
  for (const name of entries) {
    if (!isPassageFile(name)) continue;
    while (!(await write('upgrade', name, fileNames))) {
      if (!isTold)
        log.info('indexing the words of an earlier version; the vector database starts after that');
      isTold = true;
    }
  }
  await write('setCurrent');
}
