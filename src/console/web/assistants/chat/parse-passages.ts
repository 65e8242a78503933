import { t } from '../../texts/text.ts';

export type ParsedPassage = { number: number; file: string; source: string; text: string };

const fencePattern = /\bdata-[0-9a-f]{24}\b/;

/**
 * The passages in the output of a search tool. The server wraps each passage in tags with a random
 * name that no file can contain. Empty when the output has no such tags.
 */
export function parsePassages(output: string): ParsedPassage[] {
  const [fence] = fencePattern.exec(output) ?? [];
  if (fence === undefined) return [];
  return [
    ...output.matchAll(new RegExp(`^<${fence} (\\{.*\\})>\\n([\\s\\S]*?)\\n</${fence}>$`, 'gm')),
  ].map(([, attributes = '{}', text = '']) => {
    const {
      number,
      file,
      page,
      under = [],
    }: { number: number; file: string; page?: number; under?: string[] } = JSON.parse(attributes);
    return {
      number,
      file,
      source: [file, page === undefined ? '' : t('chat.pageInside', { page }), ...under]
        .filter(Boolean)
        .join(', '),
      text,
    };
  });
}
