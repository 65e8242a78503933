const summaries = new Map<string, string>();
const summariesMax = 1_000;

// `update set` belongs to `on conflict do`, and `update of` or `update skip` to `select … for`.
const writes =
  /\b(insert\s+into|update|delete\s+from)\s+(?!set\b|of\b|skip\b|nowait\b)(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?)/i;
const reads = /\bfrom\s+((?:"?\w+"?\.)?"?\w+"?)/i;

/**
 * What a statement does to which table, such as `insert memberships`: enough to recognize it, and
 * without any value.
 */
export function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = summarize(text);
  if (summaries.size < summariesMax) summaries.set(text, summary);
  return summary;
}

function summarize(text: string): string {
  const [, write, written = ''] = writes.exec(text) ?? [];
  if (write !== undefined) return `${firstWord(write)} ${tableOf(written)}`;
  const [, read] = reads.exec(text) ?? [];
  return read === undefined ? firstWord(text) : `select ${tableOf(read)}`;
}

const firstWord = (text: string): string => /\w+/.exec(text)?.[0].toLowerCase() ?? 'none';
const tableOf = (name: string): string => name.split('.').at(-1)?.replaceAll('"', '') ?? name;
