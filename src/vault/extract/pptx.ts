import { drawingTextOf } from './drawing-text.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, oncePerPart, relationsOf } from './relations.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads PowerPoint: each slide is a page that begins with its title and ends with the text of its
 * diagrams and speaker notes.
 */
export const readPptx = packedDocument(async function* (zip, { pagesMax }) {
  let page = 0;
  const readParts = new Set<string>();
  for (const slide of (await slidesOf(zip)).slice(0, pagesMax)) {
    page += 1;
    const { title, blocks } = await drawingTextOf(zip, slide);
    if (title !== '') yield { kind: 'heading', level: 1, text: title, page };
    for (const block of blocks) yield { ...block, page };
    const attachments = (await relationsOf(zip, slide)).filter(
      ({ kind }) => kind === 'diagramData' || kind === 'notesSlide',
    );
    for (const { part } of oncePerPart(attachments, readParts)) {
      for (const block of (await drawingTextOf(zip, part)).blocks) yield { ...block, page };
    }
  }
});

/**
 * Returns the parts of the slides in presentation order, which differs from the order of their
 * names.
 */
async function slidesOf(zip: ZipArchive) {
  const main = await mainPartOf(zip);
  const relations = new Map(
    oncePerPart(await relationsOf(zip, main)).map(({ id, part }) => [id, part]),
  );
  const slides: string[] = [];
  for await (const events of xmlEvents(zip.read(main))) {
    for (const event of events) {
      if (event.type !== 'open' || event.name !== 'sldId') continue;
      const id = attributeOf(event.attributes, ':id') ?? '';
      const part = relations.get(id);
      if (part !== undefined) slides.push(part);
      relations.delete(id);
    }
  }
  return slides;
}
