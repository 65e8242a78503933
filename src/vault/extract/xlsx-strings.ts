import { xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/** The strings that cells refer to by number. How they are pronounced is left out. */
export async function sharedStringsOf(zip: Zip, part: string | undefined) {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let text = '';
  let takes = false;
  let phonetic = false;
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (takes && !phonetic) text += event.text;
      } else if (event.name === 't') {
        takes = event.type === 'open';
      } else if (event.name === 'rPh') {
        phonetic = event.type === 'open';
      } else if (event.name === 'si') {
        if (event.type === 'close') strings.push(text);
        text = '';
      }
    }
  }
  return strings;
}
