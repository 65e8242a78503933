import { makeArrowTable } from '@lancedb/lancedb';
import type { Table } from 'apache-arrow';
import { z } from 'zod';
import type { EmbeddedPassage, Passage } from '../../passage.ts';
import { passageSchema } from './lance.ts';

export type PassageHit = Passage & { generation: number; score: number };
export type PassageRow = EmbeddedPassage & { generation: number };

export const passageColumns = ['generation', 'ordinal', 'text', 'page', 'headings', 'start', 'end'];

export const toArrowTable = (rows: readonly PassageRow[], dimensions: number) =>
  makeArrowTable(
    rows.map(({ generation, ordinal, text, page, headings, start, end, vector }) => ({
      generation: BigInt(generation),
      ordinal,
      text,
      page,
      headings: JSON.stringify(headings),
      start: BigInt(start),
      end: BigInt(end),
      vector,
    })),
    { schema: passageSchema(dimensions) },
  );

export function toHits(table: Table, scoreOf = (distance: number) => 1 - distance): PassageHit[] {
  const [passageAt, scoreAt, distanceAt] = [
    passagesIn(table),
    numbersIn(table, '_score'),
    numbersIn(table, '_distance'),
  ];
  const isScored = table.getChild('_score') !== null;
  return Array.from({ length: table.numRows }, (_, index) => ({
    ...passageAt(index),
    score: isScored ? scoreAt(index) : scoreOf(distanceAt(index)),
  }));
}

export function toRows(table: Table): PassageRow[] {
  const passageAt = passagesIn(table);
  const vectors = table.getChild('vector');
  return Array.from({ length: table.numRows }, (_, index) => ({
    ...passageAt(index),
    vector: Float32Array.from(numberList(vectors?.get(index))),
  }));
}

export function generationsOf(table: Table): number[] {
  const generations = new Set<bigint>();
  for (const generation of table.getChild('generation') ?? []) generations.add(generation);
  return [...generations].map(Number);
}

/**
 * Reads single values from the columns without validating each row: passages were validated before
 * they were written.
 */
function passagesIn(table: Table) {
  const [generation, ordinal, start, end] = ['generation', 'ordinal', 'start', 'end'].map((name) =>
    numbersIn(table, name),
  );
  const [text, headings, page] = [
    table.getChild('text'),
    table.getChild('headings'),
    table.getChild('page'),
  ];
  return (index: number): Passage & { generation: number } => {
    const pageNumber: unknown = page?.get(index);
    return {
      generation: generation?.(index) ?? 0,
      ordinal: ordinal?.(index) ?? 0,
      text: String(text?.get(index)),
      page: typeof pageNumber === 'number' ? pageNumber : null,
      headings: headingsIn(String(headings?.get(index))),
      start: start?.(index) ?? 0,
      end: end?.(index) ?? 0,
    };
  };
}

function numbersIn(table: Table, name: string) {
  const column = table.getChild(name);
  return (index: number) => Number(column?.get(index));
}

const numberList = (value: Iterable<number> | null | undefined): Iterable<number> => value ?? [];
const list = z.array(z.string());
const headingsIn = (text: string) => (text === '[]' ? [] : list.parse(JSON.parse(text)));
