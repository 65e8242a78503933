import { hashText } from '../../platform/hash.ts';

const nameCharactersMax = 128;

/**
 * Names the embedding space of a model. A model name that is long or not printable ASCII is replaced
 * by its hash.
 */
export function spaceName(provider: string, model: string, dimensions: number): string {
  const name = `${provider}-${model}-${dimensions}`;
  if (/^[\x21-\x7e]+$/.test(name) && name.length <= nameCharactersMax) return name;
  return `${provider}-${Buffer.from(hashText(model)).toString('hex').slice(0, 32)}-${dimensions}`;
}
