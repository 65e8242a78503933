// Embeddings, overrides and isolates: they make a text look other than it is.
const directionControl = /[\u202a-\u202e\u2066-\u2069]/;
// Fillers such as U+3164 count as letters and the empty Braille pattern as a symbol, but nothing of
// them is seen.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
const siteAddress = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}\//iu;

export const hasDirectionControl = (text: string): boolean => directionControl.test(text);

export const isVisible = (text: string): boolean => visible.test(text);

/**
 * Whether a mail program would make a link of this, or a reader take it for the address of a site.
 */
export const namesSite = (text: string): boolean => siteAddress.test(text);
