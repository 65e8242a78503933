import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

type Style = { level?: number; basedOn?: string };

/**
 * Which paragraph styles are headings, by style id, with their level. Ids differ by language
 * ("berschrift1"); the names "heading 1" to "heading 9" do not, and styles that people make inherit
 * the outline level of the one they rest on.
 */
export async function headingLevelsOf(zip: Zip, part: string | undefined) {
  const styles = part === undefined ? new Map<string, Style>() : await stylesOf(zip, part);
  const levels = new Map<string, number>();
  for (const id of styles.keys()) {
    const level = levelOf(styles, id);
    if (level !== undefined) levels.set(id, Math.min(level, 6));
  }
  return levels;
}

async function stylesOf(zip: Zip, part: string) {
  const styles = new Map<string, Style>();
  let style: Style = {};
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

/** Styles rest on one another; Word itself allows a chain of eleven. A circle ends here as well. */
const stepsMax = 32;

function levelOf(styles: Map<string, Style>, id: string) {
  let at: string | undefined = id;
  for (let step = 0; step < stepsMax && at !== undefined; step += 1) {
    const style = styles.get(at);
    if (style?.level !== undefined) return style.level;
    at = style?.basedOn;
  }
  return undefined;
}
