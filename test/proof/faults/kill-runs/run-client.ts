import { setTimeout as pause } from 'node:timers/promises';
import { eventsIn, type ReceivedEvent } from '../../../support/run-events.ts';

export type FinishedRun = {
  question: string;
  id: string;
  events: ReceivedEvent[];
  /** How often the client came back to the stream. */
  resumptions: number;
};

type RunClientOptions = {
  assistantId: string;
  key: string;
  /** The address of a process that is alive; undefined while every process is killed. */
  address: () => string | undefined;
};

const isLast = ({ name }: ReceivedEvent) => name === 'done' || name === 'failed';

/** A client that starts durable runs and follows them, whatever happens to the processes. */
export function runClient({ assistantId, key, address }: RunClientOptions) {
  const authorization = `Bearer ${key}`;
  const eventsByQuestion = new Map<string, ReceivedEvent[]>();

  async function send(path: string, init: RequestInit): Promise<Response | undefined> {
    const origin = address();
    if (origin === undefined) return undefined;
    return fetch(origin + path, init).catch(() => undefined);
  }

  /** Sends the request until it is accepted. Its key makes the repetitions harmless. */
  async function start(question: string): Promise<string> {
    for (;;) {
      const response = await send(`/api/assistants/v1/${assistantId}/run`, {
        method: 'POST',
        headers: {
          ...{ authorization, 'content-type': 'application/json' },
          ...{ prefer: 'respond-async', 'idempotency-key': question.replaceAll(' ', '-') },
        },
        body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
      });
      const body: unknown = await response?.json().catch(() => undefined);
      if (response?.status === 202 && body) return String(Object(body).runId);
      if (response && ![202, 409, 503].includes(response.status))
        throw new Error(`a run was refused: ${JSON.stringify(body)}`);
      await pause(200);
    }
  }

  /** Reads events after the last one until the stream ends or breaks. Returns whether it began. */
  async function readOn(id: string, events: ReceivedEvent[]): Promise<boolean> {
    const lastId = events.at(-1)?.id;
    const response = await send(`/api/assistants/v1/runs/${id}/events`, {
      headers: {
        ...{ authorization, accept: 'text/event-stream' },
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
    });
    if (response?.status !== 200) return false;
    const before = [...events];
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        // An event without an id says that this stream broke.
        const received = eventsIn(text).filter((event) => event.id !== undefined);
        events.splice(0, events.length, ...before, ...received);
      }
    } catch {
      // The process was killed. What has arrived completely counts.
    }
    return true;
  }

  return {
    /** What the client has received of a run so far. */
    eventsOf: (question: string): readonly ReceivedEvent[] => eventsByQuestion.get(question) ?? [],
    async run(question: string): Promise<FinishedRun> {
      const id = await start(question);
      const events: ReceivedEvent[] = [];
      eventsByQuestion.set(question, events);
      for (let streams = 0; ; ) {
        if (await readOn(id, events)) streams += 1;
        if (events.some(isLast)) return { question, id, events, resumptions: streams - 1 };
        await pause(100);
      }
    },
  };
}
