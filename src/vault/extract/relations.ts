import { posix } from 'node:path';
import { ExtractError } from './extract-error.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * A reference from one part of a Word, PowerPoint or Excel file to another part of the same file.
 */
type PartRelation = {
  id: string;
  /**
   * The last segment of the type, which is the same in the transitional and the strict variant of
   * the format.
   */
  kind: string;
  part: string;
};

/**
 * Returns the relations of a part, or of the whole file for ''. Relations to targets outside the
 * file are dropped here, so that no later code can follow them: neither an address nor a path on
 * this machine is ever read.
 */
export async function relationsOf(zip: ZipArchive, part: string): Promise<PartRelation[]> {
  const { dir, base } = posix.parse(part);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  if (!zip.has(name)) return [];
  const relations: PartRelation[] = [];
  for await (const events of xmlEvents(zip.read(name))) {
    for (const event of events) {
      if (event.type !== 'open' || event.name !== 'Relationship') continue;
      const { attributes } = event;
      const target = attributeOf(attributes, 'Target') ?? '';
      const inside = posix.resolve('/', dir, target).slice(1);
      if (attributeOf(attributes, 'TargetMode') === 'External' || !zip.has(inside)) continue;
      const type = attributeOf(attributes, 'Type') ?? '';
      relations.push({
        id: attributeOf(attributes, 'Id') ?? '',
        kind: type.slice(type.lastIndexOf('/') + 1),
        part: inside,
      });
    }
  }
  return relations;
}

/**
 * Removes relations to a part that an earlier relation refers to. Normal files refer to a sheet or
 * slide once.
 */
export function oncePerPart(
  relations: PartRelation[],
  readParts = new Set<string>(),
): PartRelation[] {
  return relations.filter(({ part }) => {
    const isNew = !readParts.has(part);
    readParts.add(part);
    return isNew;
  });
}

/** Returns the part that contains the document itself. */
export async function mainPartOf(zip: ZipArchive) {
  const main = (await relationsOf(zip, '')).find(({ kind }) => kind === 'officeDocument');
  if (!main) throw new ExtractError('DAMAGED');
  return main.part;
}
