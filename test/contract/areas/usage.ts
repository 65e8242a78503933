import { ask, createAssistant, runPath } from '../assistant.ts';
import { atLeast, filledText, integer, listOf, matching, objectWith, orNull } from '../matchers.ts';
import type { Suite } from '../suite.ts';

const usagePath = '/api/usage/v1/usage';
const day = matching(/^\d{4}-\d\d-\d\d$/);

const usageRow = objectWith({
  day: orNull(day),
  assistantId: orNull(filledText),
  userId: orNull(filledText),
  keyId: orNull(filledText),
  model: orNull(filledText),
  runs: integer,
  steps: integer,
  promptTokens: integer,
  completionTokens: integer,
  cachedTokens: integer,
  cost: orNull(filledText),
  currency: orNull(filledText),
});

/** What the runs of an organization have used: the guide of usage. */
export async function checkUsage(suite: Suite): Promise<void> {
  const { check } = suite;
  const person = suite.api('user-key', 'usage of a run');
  const api = suite.api('org-key', 'usage');
  if (!person || !api) return;
  const assistantId = await createAssistant(suite, person, `${suite.prefix} usage`);
  const run = await person.post(runPath(assistantId), ask('What is the weather like?'));
  const usage = await api.get(`${usagePath}?groupBy=day,assistant`);
  check('Usage: GET answers 200', usage, usage.status, 200);
  check('Usage: it has a first day', usage, usage.at('from'), day);
  check('Usage: it has the day after the last one', usage, usage.at('until'), day);
  check('Usage: rows', usage, usage.at('usage'), listOf(usageRow));
  const row = Object(
    usage.listAt('usage').find((item) => Object(item).assistantId === assistantId),
  );
  check('Usage: a run is counted at once', usage, row.runs, 1);
  check('Usage: it has at least one step', usage, row.steps, atLeast(1));
  for (const field of ['promptTokens', 'completionTokens'] as const)
    check(`Usage: ${field} are those of the run`, usage, row[field], run.at(`usage.${field}`));

  const csv = await api.get(`${usagePath}?groupBy=day,assistant&format=csv`);
  check('Usage: format=csv is CSV', csv, csv.headers.get('content-type'), matching(/^text\/csv/));
  check('Usage: CSV has the same rows', csv, csv.text.includes(assistantId), true);
  const lines = await api.get(`${usagePath}?groupBy=day,assistant&format=ndjson`);
  check(
    'Usage: NDJSON has one row in each line',
    lines,
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    listOf(usageRow),
  );
  for (const [description, query] of [
    ['an unknown group', 'groupBy=colour'],
    ['until before from', 'from=2026-02-01&until=2026-01-01'],
    ['a day that does not exist', 'from=2026-02-30'],
    ['more than 366 days', 'from=2024-01-01&until=2026-01-01'],
    ['an unknown format', 'format=xml'],
  ] as const) {
    const refused = await api.get(`${usagePath}?${query}`);
    check(`Usage: ${description} is 400`, refused, refused.status, 400);
  }
  const wrongKey = await person.get(usagePath);
  check('Usage: a user key is 401', wrongKey, wrongKey.status, 401);
  const other = suite.api('other-org-key', 'usage of another organization');
  const foreign = await other?.get(`${usagePath}?groupBy=assistant`);
  if (foreign)
    check(
      'Usage: another organization does not see it',
      foreign,
      foreign.text.includes(assistantId),
      false,
    );
}
