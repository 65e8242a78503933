import { createReadStream } from 'node:fs';
import type { SourceFile } from './block.ts';
import { ExtractError } from './extract-error.ts';
import type { ZipArchive } from './zip.ts';

const contentPart = 'content.xml';
const documentStart =
  /^\s*(?:(?:<\?[^>]{0,500}\?>|<!--(?:(?!-->)[\s\S]){0,5000}-->)\s*)*<office:document\s([^>]*)>/;

/**
 * The kind of an OpenDocument file that is one XML text (.fodt, .fods, .fodp), from its beginning;
 * undefined for another text.
 */
export function flatKindOf(head: string): 'odt' | 'ods' | 'odp' | undefined {
  const [, attributes = ''] = documentStart.exec(head) ?? [];
  const [, type = ''] =
    /office:mimetype="application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
      attributes,
    ) ?? [];
  return kinds[type];
}

const kinds: Readonly<Record<string, 'odt' | 'ods' | 'odp'>> = {
  text: 'odt',
  spreadsheet: 'ods',
  presentation: 'odp',
};

/** Opens such a file as a packed one, whose content is the whole file. */
export const openFlat = ({ path, bytes }: SourceFile): ZipArchive => ({
  names: [contentPart],
  has: (name) => name === contentPart,
  async *read(name) {
    if (name !== contentPart) throw new ExtractError('DAMAGED');
    yield* createReadStream(path);
  },
  head: async () => {
    throw new ExtractError('DAMAGED');
  },
  bytesOf: (name) => (name === contentPart ? bytes : 0),
  close: () => undefined,
});
