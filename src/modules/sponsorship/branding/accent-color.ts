/** A colour such as "#1a2b3c" as one number. */
export const toColorNumber = (color: string): number => Number.parseInt(color.slice(1), 16);

export const toColorText = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;
