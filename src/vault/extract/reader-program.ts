import { answerRequest } from './read-request.ts';

// Reads documents in a separate process. Only sandbox.ts starts it, often before there is a
// document, and ends it after the document or the last one of a batch.

for (;;) await answerRequest();
