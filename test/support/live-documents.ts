import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const documentIdOf = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The settings of a server that trusts these documents. */
export function trusting(...documents: string[]): { GRAPHQL_DOCUMENTS: string } {
  const file = join(mkdtempSync(join(tmpdir(), 'live-')), 'documents.json');
  const entries = documents.map((text) => [documentIdOf(text), text]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries)));
  return { GRAPHQL_DOCUMENTS: file };
}
