import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

type ParagraphStyle = { level?: number; isContents?: boolean; basedOn?: string };

export type DocxStyles = {
  /** The heading level of each paragraph style, by style id. */
  levels: Map<string, number>;
  /** The ids of the styles of entries of the table of contents. */
  contents: Set<string>;
};

/**
 * Reads what paragraph styles mean. Ids depend on the language
 * ("berschrift1"), but the names "heading 1" to "heading 9" do not. Custom styles inherit the
 * outline level of the style they are based on.
 */
export async function docxStylesOf(zip: ZipArchive, part: string | undefined): Promise<DocxStyles> {
  const styles = part === undefined ? new Map<string, ParagraphStyle>() : await stylesOf(zip, part);
  const levels = new Map<string, number>();
  for (const id of styles.keys()) {
    const level = levelOf(styles, id);
    if (level !== undefined) levels.set(id, Math.min(level, 6));
  }
  const contents = [...styles].flatMap(([id, { isContents }]) => (isContents ? [id] : []));
  return { levels, contents: new Set(contents) };
}

async function stylesOf(zip: ZipArchive, part: string) {
  const styles = new Map<string, ParagraphStyle>();
  let style: ParagraphStyle = {};
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type !== 'open') continue;
      const { name, attributes } = event;
      const value = attributeOf(attributes, 'val') ?? '';
      if (name === 'style') {
        style = {};
        const id = attributeOf(attributes, 'styleId');
        if (id !== undefined && attributeOf(attributes, 'type') === 'paragraph')
          styles.set(id, style);
      } else if (name === 'name') {
        const level = levelByName(value);
        if (level !== undefined) style.level = level;
        if (/^toc [1-9]$/i.test(value)) style.isContents = true;
      } else if (name === 'basedOn') {
        style.basedOn = value;
      } else if (name === 'outlineLvl') {
        if (Number(value) < 9) style.level ??= Number(value) + 1;
      }
    }
  }
  return styles;
}

function levelByName(name: string) {
  const [, digit] = /^heading ([1-9])$/i.exec(name) ?? [];
  if (digit !== undefined) return Number(digit);
  return name.toLowerCase() === 'title' ? 1 : undefined;
}

/** The longest chain of base styles. Word allows eleven; the limit also ends circular chains. */
const stepsMax = 32;

function levelOf(styles: Map<string, ParagraphStyle>, id: string) {
  let currentId: string | undefined = id;
  for (let step = 0; step < stepsMax && currentId !== undefined; step += 1) {
    const style = styles.get(currentId);
    if (style?.level !== undefined) return style.level;
    currentId = style?.basedOn;
  }
  return undefined;
}
