import { loadTools } from '../../src/modules/runs/load-tools.ts';
import { createModelRegistry } from '../../src/modules/runs/models/model-registry.ts';
import type { FoundPassage } from '../../src/modules/runs/passages.ts';
import {
  type RunModelDependencies,
  type RunModelInput,
  runModel,
} from '../../src/modules/runs/run-model.ts';
import type { RunEvent, RunMessage } from '../../src/modules/runs/run-result.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createLog, type Log } from '../../src/platform/log.ts';

const tools = await loadTools();
const quietLog = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });

/** A passage of a handbook, as returned by a search. */
export const passage = (text: string, fields: Partial<FoundPassage> = {}): FoundPassage => ({
  documentId: 'handbook',
  versionId: 'handbook',
  isPreviousVersion: false,
  originalName: 'handbook.pdf',
  ordinal: 0,
  text,
  page: 3,
  headings: [],
  start: 100,
  end: 100 + text.length,
  score: 0.9,
  ...fields,
});

type RunOptions = Partial<RunModelDependencies> &
  Pick<RunModelInput, 'output' | 'outputTokensMax'> & {
    settings?: Record<string, string>;
    messages?: RunMessage[] | string;
    found?: readonly FoundPassage[];
    sent?: readonly FoundPassage[];
    instructions?: string;
    model?: string | null;
    stepLimit?: number;
    /** Whether the run streams its events. */
    streams?: boolean;
    log?: Log;
  };

/** Runs the engine once; everything that is not specified has a default. */
export async function runOf({
  settings = {},
  messages = 'How many days of vacation do I get?',
  found = [],
  sent = [],
  streams = true,
  output,
  outputTokensMax,
  ...overrides
}: RunOptions) {
  const events: RunEvent[] = [];
  const queries: string[] = [];
  const env = readEnv({ NODE_ENV: 'test', ...settings });
  const search = async (query: string) => {
    queries.push(query);
    return [...found];
  };
  const result = await runModel(
    {
      assistant: {
        instructions: overrides.instructions ?? '',
        temperature: null,
        stepLimit: overrides.stepLimit ?? 5,
      },
      messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
      sentPassages: sent,
      ...{ output, outputTokensMax },
      model: createModelRegistry(env, overrides.log ?? quietLog).choose(overrides.model ?? null),
    },
    {
      tools,
      search,
      log: quietLog,
      clock: () => new Date('2026-11-21T10:00:00.000Z'),
      tokenBudget: env.MODEL_TOKEN_BUDGET,
      signal: new AbortController().signal,
      ...(streams && { emit: (event: RunEvent) => events.push(event) }),
      ...overrides,
    },
  );
  return { result, events, queries };
}

/** The text of a run, joined from its events. */
export const textOfEvents = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
