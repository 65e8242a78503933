// Embeddings, overrides and isolates make a text look different from its characters.
const directionControl = /[\u202a-\u202e\u2066-\u2069]/;
// Fillers such as U+3164 are classified as letters, and the blank Braille pattern as a symbol, but
// neither is visible.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
const siteAddress = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}\//iu;

export const hasDirectionControl = (text: string): boolean => directionControl.test(text);

export const withoutDirectionControls = (text: string): string =>
  text.replaceAll(new RegExp(directionControl, 'g'), '');

export const isVisible = (text: string): boolean => visible.test(text);

/**
 * Whether a mail program would turn this into a link, or a reader would mistake it for a site
 * address.
 */
export const namesSite = (text: string): boolean => siteAddress.test(text);

/**
 * Whether Postgres and JSON can store a text: it must not contain NUL or half of a surrogate pair.
 */
export const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
