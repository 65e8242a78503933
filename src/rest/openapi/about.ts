export const title = 'Atrium API';

export const license = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** The rules for all calls. Paragraphs of plain CommonMark, without headings or lists. */
export const description = [
  'These calls are the API of Atrium for programs. Each call belongs to one area, and each area accepts one kind of API key, sent as `Authorization: Bearer <key>`.',
  'Bodies are JSON objects in UTF-8. Fields and query parameters that a call does not know are ignored; those it knows must have exactly the documented type: `"3"` is not an integer. If null is allowed, it means “no value”; an absent field leaves the value unchanged. Lengths are counted in characters, without blanks at both ends.',
  'A successful call answers 200. Every other status has a body with `status: "error"` and a `message` for people; the error for invalid input names every invalid field. A resource of another organization answers like one that does not exist. Ids are opaque strings. Times are ISO 8601 in UTC with milliseconds.',
  'Lists are sorted newest first. A page after the end is empty and still has the correct totals.',
  'Requests are counted for each key in windows of 60 seconds that begin with its first request; every response to a valid key states the limit, the remaining requests and the end of the window. A slash at the end of a path is ignored. HEAD answers like GET, without the body; any other method answers 405 and names those that are allowed in `Allow`.',
  'A POST, PATCH or PUT with an `Idempotency-Key` of your own is executed once, however often it arrives within 24 hours: every repetition gets the same bytes as the first success, with `Idempotency-Replayed: true`. While the first request is running, a repetition waits a few seconds and then answers 409 with `Retry-After`. The same Idempotency-Key with another method, path or body answers 422. Errors are not stored: the same Idempotency-Key can be used again. Idempotency-Keys belong to the organization, or to the user if the request has a user key.',
  'The `ETag` of a GET of one resource is for `If-None-Match` on the next GET, and for `If-Match` on a change of the resource: 412 says that somebody else has changed it since. A write with `Prefer: dry-run` answers as usual and changes nothing, and `Preference-Applied: dry-run` confirms it.',
  'Responses of 1 kB and more are compressed if the request has an `Accept-Encoding` with `br` or `gzip`. A well-formed `X-Request-Id` of 1 to 128 letters, digits, `.`, `_` and `-` becomes the id of the request, and a `traceparent` is sent on to the services that the request needs.',
  'Version 1 changes only by additions: expect unknown fields. Removals are announced six months ahead with the headers `Deprecation` and `Sunset`.',
].join('\n\n');
