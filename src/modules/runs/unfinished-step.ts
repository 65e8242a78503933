import type { AnswerMessage, AssistantPart, RunEvent } from './run-result.ts';

/** Collects what the model has written since its last call of a tool, in case the run ends early. */
export function createUnfinishedStep() {
  let parts: AssistantPart[] = [];
  const add = (event: RunEvent) => {
    if (event.type === 'tool-result') parts = [];
    if (event.type !== 'text' && event.type !== 'reasoning') return;
    const { type, text } = event;
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  };
  return {
    /** Follows the events of a run, and passes them on. */
    follow: (emit: (event: RunEvent) => void) => (event: RunEvent) => {
      add(event);
      emit(event);
    },
    messages: (): AnswerMessage[] =>
      parts.length > 0 ? [{ role: 'assistant', content: parts }] : [],
  };
}
