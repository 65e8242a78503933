const known = ['application/graphql-response+json', 'application/json'] as const;

/**
 * The media type of the answer (GraphQL over HTTP, 6.3). It is told to Yoga, which leaves weights out of account, would answer
 * with an event stream where one is accepted, and runs a mutation before it finds that nothing it has is acceptable.
 */
export function answerType(accept: string | null): (typeof known)[number] {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange);
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0;
  const [modern, plain] = known;
  if (weightOf(modern) === 0) return plain;
  if (weightOf(modern) !== weightOf(plain)) return weightOf(modern) > weightOf(plain) ? modern : plain;
  return ranges.find(({ type }) => type === modern || type === plain)?.type === modern ? modern : plain;
}

function parseRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const [, weight = '1'] = parameters.map((parameter) => /^q=([01](?:\.\d{1,3})?)$/.exec(parameter)).find((match) => match !== null) ?? [];
  return { type, weight: Number(weight) };
}
