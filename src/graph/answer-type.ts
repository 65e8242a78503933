import { parseRanges, preferenceFor } from '../http/accept.ts';

const jsonTypes = ['application/graphql-response+json', 'application/json'] as const;

/**
 * The type of the response to a subscription, and to a query if the client accepts nothing else
 * (GraphQL over SSE, distinct connections mode).
 */
export const eventStreamType = 'text/event-stream';

/**
 * The `Cache-Control` of an answer that can hold a secret, such as a new key: it is neither stored
 * nor compressed.
 */
export const secretAnswer = 'no-store, no-transform';

export type AnswerType = (typeof jsonTypes)[number] | typeof eventStreamType;

/**
 * The media type of the response (GraphQL over HTTP, section 6.3). It is passed to Yoga, because
 * Yoga ignores quality values, and executes a mutation before it notices that no type is
 * acceptable. A client that accepts none of these types gets JSON.
 */
export function answerType(accept: string | null): AnswerType {
  const [modern, plain] = jsonTypes;
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
