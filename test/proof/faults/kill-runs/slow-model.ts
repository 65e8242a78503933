import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chunkOf, modelProvider } from '../../../support/model-provider.ts';

export const stepsPerRun = 3;
const words = 12;
const msPerWord = 60;
/** The time that the last answer of a run takes. */
export const lastAnswerMs = words * msPerWord;

export const answerTo = (question: string): string =>
  Array.from({ length: words }, (_, index) => `${question}, word ${index + 1}.`).join(' ');

/** The run whose answer the model interrupts, and the API key of the process that asked for it. */
export type HeldAnswer = { question: string; apiKey: string | undefined };

/**
 * A provider whose model calls a tool in each step but the last, and then writes its answer so
 * slowly that processes are killed in the middle of it.
 */
export async function slowModel() {
  let hold: ((answer: HeldAnswer) => void) | undefined;
  const provider = await modelProvider(({ model, messages }) => {
    const asked = messages.find(({ role }) => role === 'user')?.content;
    const question = typeof asked === 'string' ? asked : String(Object(asked)[0]?.text);
    const toolResults = messages.filter(({ role }) => role === 'tool').length;
    if (toolResults < stepsPerRun - 1)
      return {
        toolCalls: [{ name: 'calculate', input: { expression: `${toolResults} + 1` } }],
        afterMs: 100,
      };
    return async (response) => {
      const held = hold;
      hold = undefined;
      held?.({ question, apiKey: response.req.headers.authorization });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [index, piece] of answerTo(question)
        .split(/(?<=\. )/)
        .entries()) {
        if (held && index === words / 2) await closed(response);
        if (response.destroyed) return;
        response.write(chunkOf(model, { content: piece }));
        await pause(msPerWord);
      }
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      response.end(`${chunkOf(model, {}, 'stop', usage)}data: [DONE]\n\n`);
    };
  });
  return {
    ...provider,
    /**
     * The model stops in the middle of the next answer that it begins, until the process that asked
     * for it disconnects. The returned function returns undefined until the answer has begun.
     */
    holdAnswer(): () => HeldAnswer | undefined {
      let answer: HeldAnswer | undefined;
      hold = (begun) => {
        answer = begun;
      };
      return () => answer;
    },
  };
}

const closed = async (response: ServerResponse) => {
  if (!response.destroyed) await once(response, 'close');
};
