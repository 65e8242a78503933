import { posix } from 'node:path';
import { ExtractError } from './extract-error.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/** How a part of a Word, PowerPoint or Excel file names another part of the same file. */
type Relation = {
  id: string;
  /**
   * The last word of the type, which is the same in the transitional and the strict form of the
   * format.
   */
  kind: string;
  part: string;
};

/**
 * The relations of a part, or of the file itself for ''. Those that point out of the file are left
 * out here, so that nothing further in can follow them: an address or a path on this machine is
 * never read.
 */
export async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(part);
  const name = posix.join(dir, '_rels', `${base}.rels`);
  if (!zip.has(name)) return [];
  const relations: Relation[] = [];
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
 * Without relations to a part that an earlier one points to: files that people write name a sheet
 * or a slide once.
 */
export function oncePerPart(relations: Relation[], seen = new Set<string>()): Relation[] {
  return relations.filter(({ part }) => {
    const isNew = !seen.has(part);
    seen.add(part);
    return isNew;
  });
}

/** The part that holds the document itself. */
export async function mainPartOf(zip: Zip) {
  const main = (await relationsOf(zip, '')).find(({ kind }) => kind === 'officeDocument');
  if (!main) throw new ExtractError('DAMAGED');
  return main.part;
}
