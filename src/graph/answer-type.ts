import { parseRanges, preferenceFor } from '../platform/accept.ts';

const known = ['application/graphql-response+json', 'application/json'] as const;

/**
 * How a subscription is answered, and a query where nothing else is accepted (GraphQL over SSE,
 * distinct connections).
 */
export const eventStreamType = 'text/event-stream';

export type AnswerType = (typeof known)[number] | typeof eventStreamType;

/**
 * The media type of the answer (GraphQL over HTTP, 6.3). It is told to Yoga, which ignores quality
 * values, and executes a mutation before it finds that it has no acceptable type. A client that
 * accepts none of these types gets JSON.
 */
export function answerType(accept: string | null): AnswerType {
  const [modern, plain] = known;
  const modernPreference = preferenceFor(accept, modern);
  const plainPreference = preferenceFor(accept, plain);
  const isTie = modernPreference.quality === plainPreference.quality;
  const isModern = isTie
    ? modernPreference.quality > 0 && comesFirst(accept, modern, plain)
    : modernPreference.quality > plainPreference.quality;
  const [json, jsonPreference] = isModern ? [modern, modernPreference] : [plain, plainPreference];
  const stream = preferenceFor(accept, eventStreamType);
  const isOnlyStreamNamed = stream.isNamed && !modernPreference.isNamed && !plainPreference.isNamed;
  const streams =
    stream.quality > jsonPreference.quality ||
    (isOnlyStreamNamed && stream.quality > 0 && stream.quality === jsonPreference.quality);
  return streams ? eventStreamType : json;
}

const comesFirst = (accept: string | null, type: string, other: string): boolean =>
  parseRanges(accept ?? '').find(({ name }) => name === type || name === other)?.name === type;
