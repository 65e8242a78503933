import { xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** Reads the shared strings that cells refer to by index, without pronunciation hints. */
export async function sharedStringsOf(zip: ZipArchive, part: string | undefined) {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let text = '';
  let isInText = false;
  let isPhonetic = false;
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (isInText && !isPhonetic) text += event.text;
      } else if (event.name === 't') {
        isInText = event.type === 'open';
      } else if (event.name === 'rPh') {
        isPhonetic = event.type === 'open';
      } else if (event.name === 'si') {
        if (event.type === 'close') strings.push(text);
        text = '';
      }
    }
  }
  return strings;
}
