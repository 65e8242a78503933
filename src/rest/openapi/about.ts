export const title = 'Atrium API';

/** What holds for every call. Paragraphs of plain CommonMark, without headings or lists. */
export const description = [
  'Programs reach Atrium through these calls. Each belongs to one area, and each area is opened by one kind of API key, sent as `Authorization: Bearer <key>`.',
  'Bodies are JSON objects in UTF-8. Fields and query parameters that a call does not know are ignored; those it knows must have exactly the documented type: `"3"` is no integer. Where null is allowed it means "none", and leaving the field out means "as it is". Lengths are counted in characters after blanks at both ends were cut off.',
  'A call that succeeds answers 200. Any other status comes with `status: "error"` and a `message` for people; one answer to wrong input names every field that is wrong. A resource of another organization looks like one that does not exist. Ids are opaque texts. Times are ISO 8601 in UTC with milliseconds.',
  'A list is newest first. A page past its end is empty and still tells the true totals.',
  'Requests are counted for each key in windows of 60 seconds that begin with its first request; every answer to a known key tells the limit, what is left and when the window ends. A slash at the end of a path changes nothing.',
  'A POST, PATCH or PUT with an `Idempotency-Key` of your own is done once, however often it arrives within 24 hours: its success is repeated to the byte with `Idempotency-Replayed: true`. While the first is running, a repetition waits for it for some seconds, then answers 409 with `Retry-After`. The same key with another method, path or body is 422. Refusals and errors are not kept: the same key may be tried again. Keys belong to the organization; those sent with a user key, to that user.',
  'Version 1 changes only by addition: expect fields that you do not know. What is to go is announced six months ahead by the headers `Deprecation` and `Sunset`.',
].join('\n\n');
