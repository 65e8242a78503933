const known = ['application/graphql-response+json', 'application/json'] as const;

/** How a subscription is answered, and a query where nothing else is accepted (GraphQL over SSE, distinct connections). */
export const eventStreamType = 'text/event-stream';

export type AnswerType = (typeof known)[number] | typeof eventStreamType;

/**
 * The media type of the answer (GraphQL over HTTP, 6.3). It is told to Yoga, which leaves weights out of account, and runs a mutation before it finds that nothing it has is acceptable.
 */
export function answerType(accept: string | null): AnswerType {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange);
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0;
  const [modern, plain] = known;
  if (weightOf(modern) === 0) return weightOf(eventStreamType) > weightOf(plain) ? eventStreamType : plain;
  if (weightOf(modern) !== weightOf(plain)) return weightOf(modern) > weightOf(plain) ? modern : plain;
  return ranges.find(({ type }) => type === modern || type === plain)?.type === modern ? modern : plain;
}

function parseRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const [, weight = '1'] = parameters.map((parameter) => /^q=([01](?:\.\d{1,3})?)$/.exec(parameter)).find((match) => match !== null) ?? [];
  return { type, weight: Number(weight) };
}
