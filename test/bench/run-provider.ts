import type { ServerResponse } from 'node:http';
import { type ChatRequest, completeResponse, modelProvider } from '../support/model-provider.ts';
import { now, type ProviderCall, type RunCase, runCases } from './run-cases.ts';

// The model provider of the benchmark of runs, in a process of its own: what it takes for itself
// must not delay the clients or the vault. It tells the times of its calls on request.

const words =
  'battery charger travel holiday allowance notice period contract delivery invoice meeting office laptop network password backup'.split(
    ' ',
  );
let calls: ProviderCall[] = [];
const callsOfRun = new Map<string, number>();

const provider = await modelProvider((chatRequest) => {
  const run = nameOf(chatRequest);
  const { searches, answersAfterMs } = runCases[run.split('-')[0] as RunCase];
  const callIndex = callsOfRun.get(run) ?? 0;
  callsOfRun.set(run, callIndex + 1);
  const call = { run, calledAt: now(), respondedAt: Number.NaN };
  calls.push(call);
  const query = words[(callsOfRun.size + callIndex) % words.length];
  const turn =
    searches && callIndex === 0
      ? { toolCalls: [{ name: 'search_knowledge', input: { query } }] }
      : { text: `It is in the files${searches ? ' [1]' : ''}. `.repeat(10) };
  return (response: ServerResponse) => {
    const [afterMsMin, afterMsMax] = answersAfterMs;
    setTimeout(
      () => {
        call.respondedAt = now();
        response.end(JSON.stringify(completeResponse(chatRequest.model, turn)));
      },
      afterMsMin + Math.random() * (afterMsMax - afterMsMin),
    );
  };
});

function nameOf({ messages }: ChatRequest): string {
  const question = messages.find(({ role }) => role === 'user')?.content;
  return /run (\S+)/.exec(String(question))?.[1] ?? '';
}

process.on('message', () => {
  process.send?.({ calls });
  calls = [];
});
process.send?.({ baseUrl: provider.baseUrl });
