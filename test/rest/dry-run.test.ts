import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wantsDryRun } from '../../src/rest/prefer.ts';
import { databases } from '../support/databases.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { type Call, calls } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import type { StartSample } from '../support/parity/samples.ts';
import { normalize, type Outcome, type SampleRequest, sendCall } from '../support/parity/send.ts';
import { countersIn, rowsIn } from '../support/parity/stored-rows.ts';

/** The writes of the table of calls. The OpenAI-compatible interface is no part of it. */
const writes = calls.filter(({ name }) => !/^GET | \/api\/openai\//.test(name));
const dryRun = { prefer: 'dry-run' };

describe.each(databases)('$kind', ({ open }) => {
  let app: ParityApp;
  beforeAll(async () => {
    app = await parityApp({ database: await open() });
  });
  afterAll(() => app.close());

  describe.each(writes)('$name', (call) => {
    for (const { title, start, refusals } of samplesOf(call)) {
      it(`${title} answers a dry run like the real request, and changes nothing`, () =>
        compare(call, start));
      for (const refusal of refusals)
        it(`${title} refuses a dry run with ${refusal.code}, and changes nothing`, () =>
          compare(call, refusal.start));
    }
  });

  async function compare(call: Call, start: StartSample): Promise<void> {
    const request: SampleRequest = { app, call, ...(await start(app)) };
    const before = await stored();
    const dry = await sendCall(request, dryRun);
    expect(await stored()).toEqual(before);
    expect(dry.appliedPreference).toBe('dry-run');

    const real = await sendCall(request);
    expect(real.appliedPreference).toBeNull();
    expect(dry.status).toBe(real.status);
    const seen = ({ outcome }: { outcome: Outcome }) =>
      call.name.endsWith('/run') && 'body' in outcome
        ? shapeOf(JSON.parse(outcome.body))
        : normalize(outcome, request.sender);
    expect(seen(dry)).toEqual(seen(real));
  }

  /** Everything that a request could change. */
  async function stored() {
    const files: string[] = [];
    for await (const { key } of app.contextParts.files.storage.list()) files.push(key);
    return {
      files: files.toSorted(),
      rows: await rowsIn(app.database),
      counters: await countersIn(app.database),
      connections: app.database.connections().waiting,
    };
  }
});

/** The types of a value. The model of a run is not asked, so its text and citations differ. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

describe('the header Prefer', () => {
  it.each([
    ['dry-run', true],
    ['Dry-Run', true],
    ['return=minimal, dry-run', true],
    ['dry-run; reason=test', true],
    ['dry-run=""', true],
    ['dry-run=true', true],
    ['dry-run , respond-async', true],
    ['', false],
    ['dry-run=false', false],
    ['dry-running', false],
    ['no-dry-run', false],
    ['return=minimal', false],
    ['handling="dry-run"', false],
    ['note="a, dry-run"', false],
  ])('"%s" asks for a dry run: %s', (prefer, isDryRun) => {
    const headers = new Headers({ prefer });
    expect(wantsDryRun(headers, { method: 'POST' })).toBe(isDryRun);
    expect(wantsDryRun(headers, { method: 'GET' })).toBe(false);
  });
});
