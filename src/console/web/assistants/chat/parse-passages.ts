export type ParsedPassage = { number: number; place: string; text: string };

const mark = /\bdata-[0-9a-f]{24}\b/;

/**
 * The passages in what a search gave the model. It wraps them in marks that nobody who wrote a file
 * can know; a person wants to see what was found. None where the output is something else.
 */
export function parsePassages(output: string): ParsedPassage[] {
  const [fence] = mark.exec(output) ?? [];
  if (fence === undefined) return [];
  return [
    ...output.matchAll(new RegExp(`^<${fence} (\\{.*\\})>\\n([\\s\\S]*?)\\n</${fence}>$`, 'gm')),
  ].map(([, about = '{}', text = '']) => {
    const {
      number,
      file,
      page,
      under = [],
    }: { number: number; file: string; page?: number; under?: string[] } = JSON.parse(about);
    return {
      number,
      place: [file, page === undefined ? '' : `page ${page}`, ...under].filter(Boolean).join(', '),
      text,
    };
  });
}
