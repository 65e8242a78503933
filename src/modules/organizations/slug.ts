import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../platform/database/open-transaction.ts';

const lengthMax = 50;

/**
 * Derives a name for URLs from a display name: `Bäckerei Öz & Söhne` becomes `backerei-oz-sohne`.
 */
export function slugOf(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter(Boolean);
  return words.join('-').slice(0, lengthMax).replace(/-$/, '') || 'organization';
}

/** The slug of this name, with a random suffix if another organization already has it. */
export async function freeSlug(name: string, { sql }: Pick<Transaction, 'sql'>): Promise<string> {
  const slug = slugOf(name);
  const existing = await sql`select id from organizations where slug = ${slug}`;
  return existing.length > 0 ? `${slug}-${randomBytes(5).toString('hex')}` : slug;
}
