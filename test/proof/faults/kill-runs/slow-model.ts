import { setTimeout as pause } from 'node:timers/promises';
import { chunkOf, modelProvider } from '../../../support/model-provider.ts';

export const stepsPerRun = 3;
const words = 12;
const msPerWord = 60;
/** The time that the last answer of a run takes. */
export const lastAnswerMs = words * msPerWord;

export const answerTo = (question: string): string =>
  Array.from({ length: words }, (_, index) => `${question}, word ${index + 1}.`).join(' ');

/**
 * A provider whose model calls a tool in each step but the last, and then writes its answer so
 * slowly that processes are killed in the middle of it.
 */
export const slowModel = () =>
  modelProvider(({ model, messages }) => {
    const asked = messages.find(({ role }) => role === 'user')?.content;
    const question = typeof asked === 'string' ? asked : String(Object(asked)[0]?.text);
    const toolResults = messages.filter(({ role }) => role === 'tool').length;
    if (toolResults < stepsPerRun - 1)
      return {
        toolCalls: [{ name: 'calculate', input: { expression: `${toolResults} + 1` } }],
        afterMs: 100,
      };
    return async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of answerTo(question).split(/(?<=\. )/)) {
        if (response.destroyed) return;
        response.write(chunkOf(model, { content: piece }));
        await pause(msPerWord);
      }
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      response.end(`${chunkOf(model, {}, 'stop', usage)}data: [DONE]\n\n`);
    };
  });
