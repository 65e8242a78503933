import { extractText } from 'unpdf';

/** The text of a body, also of a PDF: its bytes depend on ids, and its text has them readable. */
export async function bodyText(bytes: Uint8Array): Promise<string> {
  const text = Buffer.from(bytes).toString();
  if (!text.startsWith('%PDF-')) return text;
  const { text: pages } = await extractText(new Uint8Array(bytes), { mergePages: true });
  return pages;
}
