import { Response } from '@whatwg-node/fetch';
import type { ExecutionResult } from 'graphql';
import { entityTagOf, listedTag } from '../http/entity-tags.ts';
import type { GraphOperation } from '../http/request-context.ts';
import { TextResponse } from '../http/text-response.ts';
import { graphLimits } from './document/limits.ts';
import type { GraphQLParams } from './graphql-params.ts';

/** What the handler has read before Yoga runs, and the headers of the response. */
export type GraphRequest = {
  params: GraphQLParams;
  headers: Record<string, string>;
  setCookies: readonly string[];
  /** The If-None-Match of a request whose answer can be stored; null without that header. */
  ifNoneMatch?: string | null;
  /** Whether the answer has `extensions.cost`. */
  wantsCost: boolean;
  /** The cost of the operation, when it is known. */
  cost?: number;
  /** The executed operation, when it is known. */
  operation?: GraphOperation;
};

/** The headers that the answer to the same address depends on. */
const varyingHeaders = 'Authorization, Cookie, X-Atrium-Organization, Accept, Prefer';

/** The response that Yoga would create, as a single text. */
export function graphResponse(
  result: ExecutionResult,
  type: string,
  graphRequest: GraphRequest,
): Response {
  const { headers, setCookies, ifNoneMatch } = graphRequest;
  headers['content-type'] = `${type}; charset=utf-8`;
  const text = JSON.stringify(withCost(result, graphRequest));
  // A TextResponse cannot have several headers with the same name.
  if (setCookies.length > 0) return new Response(text, { status: 200, headers });
  if (ifNoneMatch !== undefined && !result.errors) {
    const tag = entityTagOf(text);
    const listed = listedTag(ifNoneMatch, tag, { weakly: true });
    Object.assign(headers, {
      etag: listed ?? tag,
      // The client stores the answer, and asks each time whether it is still the same.
      'cache-control': 'private, no-cache',
      vary: headers['vary'] ? `${headers['vary']}, ${varyingHeaders}` : varyingHeaders,
    });
    if (listed !== undefined) {
      delete headers['content-type'];
      headers['vary'] += ', Accept-Encoding';
      return new Response(null, { status: 304, headers });
    }
  }
  return new TextResponse(text, { status: 200, headers });
}

/** The result with its cost, if the request asks for it and the operation was valid. */
export function withCost(
  result: ExecutionResult,
  { wantsCost, cost, headers }: GraphRequest,
): ExecutionResult {
  if (!wantsCost || cost === undefined) return result;
  headers['preference-applied'] = 'cost';
  return { ...result, extensions: { cost: { requested: cost, limit: graphLimits.cost } } };
}
