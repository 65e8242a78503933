import { createEventLoopYield } from '../../../platform/event-loop-yield.ts';
import { CitedText } from '../cited-text.ts';
import type { Passages } from '../passages.ts';
import type { CitationDetail } from '../run-result.ts';
import type { OutputSchema } from './output-schema.ts';

/** What the caller wants of the answer. */
export type RunOutput = { schema: OutputSchema };

/** An answer that is valid under the schema. `text` is the value as JSON. */
export type StructuredAnswer = {
  text: string;
  output: unknown;
  citationDetails: CitationDetail[];
};
export type OutputReading = StructuredAnswer | { faults: string[] };

type ReadDependencies = {
  passages: Passages;
  findFaults: (value: unknown) => Promise<string[]>;
};

const charactersMax = 1_000_000;
const levelsMax = 64;
// Checking the markers in this much text takes a few milliseconds.
const chunkCharacters = 500;

/**
 * Reads the answer of a model as JSON and checks it. Markers such as [1] inside its texts are
 * citations, as they are in an answer without a schema; a marker that no retrieved passage supports
 * is removed before the check.
 */
export async function readOutput(
  written: string,
  { passages, findFaults }: ReadDependencies,
): Promise<OutputReading> {
  if (written.length > charactersMax)
    return { faults: [`The answer has more than ${charactersMax} characters.`] };
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(written));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { faults: ['The answer is not one JSON value without any text beside it.'] };
  }
  if (isDeeperThan(value, levelsMax))
    return { faults: [`The answer is nested more than ${levelsMax} levels deep.`] };
  const cited = new CitedText(passages);
  const output = await citeTexts(value, cited);
  const faults = await findFaults(output);
  if (faults.length > 0) return { faults };
  return { text: JSON.stringify(output), output, citationDetails: cited.details };
}

/** Many models put JSON into a block of code, whatever they are asked. */
function withoutFence(written: string): string {
  const text = written.trim();
  const lineEnd = text.indexOf('\n');
  return text.startsWith('```') && text.endsWith('```') && lineEnd > 0
    ? text.slice(lineEnd, -3)
    : text;
}

async function citeTexts(value: unknown, cited: CitedText): Promise<unknown> {
  const pause = createEventLoopYield();
  const citeText = async (text: string) => {
    if (!/\[\d/.test(text)) return text;
    let shown = '';
    for (let start = 0; start < text.length; start += chunkCharacters) {
      shown += cited.push(text.slice(start, start + chunkCharacters));
      await pause();
    }
    shown += cited.end();
    // The statement before a marker does not begin in another text.
    cited.push('\n');
    return shown;
  };
  const cite = async (item: unknown): Promise<unknown> => {
    if (typeof item === 'string') return citeText(item);
    if (Array.isArray(item)) {
      const items: unknown[] = [];
      for (const one of item) items.push(await cite(one));
      return items;
    }
    if (typeof item !== 'object' || item === null) return item;
    const entries: [string, unknown][] = [];
    for (const [name, one] of Object.entries(item)) entries.push([name, await cite(one)]);
    return Object.fromEntries(entries);
  };
  return cite(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
