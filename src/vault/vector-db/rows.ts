import { makeArrowTable } from '@lancedb/lancedb';
import type { Table } from 'apache-arrow';
import { z } from 'zod';
import type { EmbeddedPassage, Passage } from '../passage.ts';
import { passageSchema } from './lance.ts';

export type Hit = Passage & { generation: number; score: number };
export type Row = EmbeddedPassage & { generation: number };

export const passageColumns = ['generation', 'ordinal', 'text', 'page', 'headings', 'start', 'end'];

export const arrowOf = (rows: readonly Row[], dimensions: number) =>
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

export function hitsOf(found: Table, scoreOf = (distance: number) => 1 - distance): Hit[] {
  const [passageAt, scoreAt, distanceAt] = [
    passagesIn(found),
    numbersIn(found, '_score'),
    numbersIn(found, '_distance'),
  ];
  const isScored = found.getChild('_score') !== null;
  return Array.from({ length: found.numRows }, (_, index) => ({
    ...passageAt(index),
    score: isScored ? scoreAt(index) : scoreOf(distanceAt(index)),
  }));
}

export function rowsOf(found: Table): Row[] {
  const passageAt = passagesIn(found);
  const vectors = found.getChild('vector');
  return Array.from({ length: found.numRows }, (_, index) => ({
    ...passageAt(index),
    vector: Float32Array.from(numberList(vectors?.get(index))),
  }));
}

export function generationsOf(found: Table): number[] {
  const generations = new Set<bigint>();
  for (const generation of found.getChild('generation') ?? []) generations.add(generation);
  return [...generations].map(Number);
}

/**
 * Columns are read one value at a time, without a check of each row: what lies in them was checked
 * before it was written.
 */
function passagesIn(found: Table) {
  const [generation, ordinal, start, end] = ['generation', 'ordinal', 'start', 'end'].map((name) =>
    numbersIn(found, name),
  );
  const [text, headings, page] = [
    found.getChild('text'),
    found.getChild('headings'),
    found.getChild('page'),
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

function numbersIn(found: Table, name: string) {
  const column = found.getChild(name);
  return (index: number) => Number(column?.get(index));
}

const numberList = (value: Iterable<number> | null | undefined): Iterable<number> => value ?? [];
const list = z.array(z.string());
const headingsIn = (text: string) => (text === '[]' ? [] : list.parse(JSON.parse(text)));
