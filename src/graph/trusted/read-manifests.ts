import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../platform/error-message.ts';

/** SHA-256 of a document in the form of its id: 64 hexadecimal digits in lower case. */
export const documentHash = (text: string): string => hash('sha256', text, 'hex');

const hashForm = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The hash in the id of a document, with or without its prefix; undefined for another id. */
export const hashOfId = (id: string): string | undefined => hashForm.exec(id)?.[1];

/** A document of a manifest, and the file that names it. */
export type ManifestEntry = { hash: string; text: string; file: string };

/** Texts by hash, as the client preset of graphql-codegen writes its persisted documents. */
const flatForm = z.record(z.string(), z.string());

/** What `generate-persisted-query-manifest` of Apollo writes. */
const apolloForm = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

/** Reads a manifest, or every manifest of a folder. A fault is an error that names the file. */
export function readManifests(path: string): ManifestEntry[] {
  return manifestFiles(path).flatMap((file) => readManifest(file));
}

function manifestFiles(path: string): string[] {
  if (!isFolder(path)) return [path];
  const files = namesIn(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name));
  if (files.length === 0)
    throw new Error(`GRAPHQL_DOCUMENTS: the folder ${path} has no manifest, which is a .json file`);
  return files;
}

const unreadable = (path: string, error: unknown) =>
  new Error(`GRAPHQL_DOCUMENTS: ${path} cannot be read. ${messageOf(error, path)}`, {
    cause: error,
  });

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readManifest(file: string): ManifestEntry[] {
  return entriesOf(parse(file), file).map(([id, text]) => {
    const idHash = hashOfId(id);
    if (idHash === undefined)
      throw new Error(
        `${file}: the id ${id} is no SHA-256 hash; graphql-codegen writes one with hashAlgorithm: 'sha256'`,
      );
    if (documentHash(text) !== idHash)
      throw new Error(`${file}: the id ${id} is not the SHA-256 hash of its document`);
    return { hash: idHash, text, file };
  });
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(file, error);
    throw new Error(`${file}: the manifest of trusted documents is not JSON`, { cause: error });
  }
}

function entriesOf(manifest: unknown, file: string): [id: string, text: string][] {
  const apollo = apolloForm.safeParse(manifest);
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => [id, body]);
  const flat = flatForm.safeParse(manifest);
  if (flat.success) return Object.entries(flat.data);
  throw new Error(
    `${file}: a manifest of trusted documents is an object of hashes and documents, or an apollo-persisted-query-manifest of version 1`,
  );
}
