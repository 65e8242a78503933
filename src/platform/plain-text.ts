// Embeddings, overrides and isolates: they make a text look other than it is.
const directionControl = /[\u202a-\u202e\u2066-\u2069]/;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
const siteAddress = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}\//iu;

export const hasDirectionControl = (text: string): boolean => directionControl.test(text);

export const isVisible = (text: string): boolean => visible.test(text);

/** Whether a mail program would make a link of this, or a reader take it for the address of a site. */
export const namesSite = (text: string): boolean => siteAddress.test(text);
