import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type makeCertificate, startReceiver } from './public-receiver.ts';

export type ReceivedWebhook = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { id: string; type: string; timestamp: string; data: { resourceId: string } };
};
/** Answers a request. Without an end of the response the receiver hangs. */
export type AnswerWebhook = (response: ServerResponse, webhook: ReceivedWebhook) => void;

export const accept: AnswerWebhook = (response) => void response.writeHead(204).end();
export const refuse =
  (status: number, headers: Record<string, string> = {}): AnswerWebhook =>
  (response) =>
    void response.writeHead(status, headers).end('no');

/** A real server that records what it gets. `answer` can be replaced at any time. */
export async function webhookReceiver({
  certificate,
}: {
  certificate?: ReturnType<typeof makeCertificate>;
} = {}) {
  const received: ReceivedWebhook[] = [];
  const waiting = new Set<() => void>();
  const state = { answer: accept, open: 0, openMax: 0 };
  const server = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const webhook = {
        ...{ path: request.url ?? '', headers: request.headers, text },
        body: JSON.parse(text),
      };
      received.push(webhook);
      state.open += 1;
      state.openMax = Math.max(state.openMax, state.open);
      response.once('close', () => {
        state.open -= 1;
      });
      state.answer(response, webhook);
      for (const wake of waiting) wake();
    });
  }, certificate);

  /** Resolves once so many webhooks were received that match. */
  async function count(
    number: number,
    matches: (webhook: ReceivedWebhook) => boolean = () => true,
  ): Promise<ReceivedWebhook[]> {
    for (;;) {
      const found = received.filter(matches);
      if (found.length >= number) return found;
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }
  return {
    ...server,
    received,
    state,
    count,
    url: `http://127.0.0.1:${server.port}/hook`,
    answerWith(answer: AnswerWebhook) {
      state.answer = answer;
    },
  };
}

export type WebhookReceiver = Awaited<ReturnType<typeof webhookReceiver>>;
