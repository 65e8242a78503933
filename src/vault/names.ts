import { AppError } from '../platform/errors.ts';

// Callers choose the names of collections and documents freely; the vault gives them no meaning. The
// allowed characters are safe in paths, headers and log lines.
export const nameForm = /^[A-Za-z0-9._-]{1,128}$/;
export const nameExpectation = 'must be 1 to 128 letters, digits, dots, hyphens or underscores';
export const isDots = (name: string): boolean => name === '.' || name === '..';

/** Validates a name. The error message begins with `label`. */
export function requireName(name: string | undefined, label: string): string {
  if (name === undefined || !nameForm.test(name) || isDots(name))
    throw new AppError('BAD_INPUT', `${label} ${nameExpectation}`);
  return name;
}

/** The form of such a path, with placeholders for the names. */
export const pathTemplate = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replace(/\/collections\/[^/]+/, '/collections/:collection')
    .replace(/\/documents\/[^/]+/, '/documents/:document');

/** The path of a collection, or of a document in it, at the vault and at the vector database. */
export const pathOf = (collection: string, document?: string): string =>
  `/v1/collections/${encodeURIComponent(collection)}${document === undefined ? '' : `/documents/${encodeURIComponent(document)}`}`;
