import { codeText } from '../../graph/code-text.ts';
import type { ApiFault } from '../../graph/fault.ts';
import {
  type Answer,
  appendCall,
  appendText,
  type RunEvent,
  type TurnStep,
  withOutput,
} from './turn.ts';

/** An answer that is built from the events of its run. */
export type LiveAnswer = Answer & {
  /** How many steps of the answer existed when each step of the run began. */
  stepStarts: ReadonlyMap<number, number>;
};

export const emptyAnswer: LiveAnswer = { steps: [], state: 'running', stepStarts: new Map() };

export const applyEvents = (answer: LiveAnswer, events: readonly RunEvent[]): LiveAnswer =>
  events.reduce(applyEvent, answer);

function applyEvent(answer: LiveAnswer, event: RunEvent): LiveAnswer {
  const withSteps = (steps: TurnStep[]): LiveAnswer => ({ ...answer, steps });
  switch (event.__typename) {
    case 'StepEvent':
      return beginStep(answer, event.number);
    case 'TextEvent':
      return withSteps(appendText(answer.steps, 'text', event.text));
    case 'ReasoningEvent':
      return withSteps(appendText(answer.steps, 'reasoning', event.text));
    case 'ToolCallEvent':
      return withSteps(appendCall(answer.steps, event));
    case 'ToolResultEvent':
      return withSteps(withOutput(answer.steps, event));
    case 'DoneEvent':
      return { ...answer, state: 'done', result: event.result };
    case 'FailedEvent':
      return event.state === 'CANCELLED'
        ? { ...answer, state: 'stopped' }
        : { ...answer, state: 'failed', fault: faultOfRun(event) };
  }
}

/** Why a run failed, in the language of the page. */
export const faultOfRun = ({ code, message }: { code: string; message: string }): ApiFault => ({
  code,
  message: codeText(message, code),
});

/** A step that was interrupted begins anew, and what it wrote before is void. */
function beginStep(answer: LiveAnswer, number: number): LiveAnswer {
  const start = answer.stepStarts.get(number);
  if (start !== undefined) return { ...answer, steps: answer.steps.slice(0, start) };
  return {
    ...answer,
    stepStarts: new Map(answer.stepStarts).set(number, answer.steps.length),
  };
}
