/**
 * A document with new content between `<!-- name -->` and `<!-- /name -->`. Documents keep these
 * marks around what is generated, so that the text around it stays free to edit.
 */
export function replaceSection(document: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(start) + start.length;
  const to = document.indexOf(end, from);
  if (from < start.length || to < from) throw new Error(`A document has no section ${name}`);
  return `${document.slice(0, from)}\n${content}\n${document.slice(to)}`;
}
