import type { ErrorCode } from '../../../src/platform/errors.ts';
import type { Variables } from './calls.ts';
import type { ParityApp, Sender } from './fixtures.ts';

export type SampleInput<Fixture> = {
  /** Changes the fixture before the request. */
  prepare?: (fixture: Fixture, app: ParityApp) => Promise<unknown>;
  /** The variables of the operation. */
  input: (fixture: Fixture) => Variables;
};

/** A valid request of a call, and requests that it refuses. */
export type SampleDefinition<Fixture> = SampleInput<Fixture> & {
  call: string;
  /** Distinguishes several samples of a call. */
  title?: string;
  refusals?: (Partial<SampleInput<Fixture>> & { code: ErrorCode })[];
};

type StartedSample = { sender: Sender; variables: Variables };
export type StartSample = (app: ParityApp) => Promise<StartedSample>;

/** Each start has a new fixture, which equals the others except for ids and names. */
export type Sample = {
  call: string;
  title: string;
  start: StartSample;
  refusals: { code: ErrorCode; start: StartSample }[];
};

export const samplesOn = <Fixture extends Sender>(
  createFixture: (fixtures: ParityApp['fixtures']) => Promise<Fixture>,
  definitions: readonly SampleDefinition<Fixture>[],
): Sample[] =>
  definitions.map(({ call, title = '', refusals = [], ...valid }) => {
    const start =
      ({ prepare, input }: SampleInput<Fixture>): StartSample =>
      async (app) => {
        const fixture = await createFixture(app.fixtures);
        await prepare?.(fixture, app);
        return { sender: fixture, variables: input(fixture) };
      };
    return {
      call,
      title: title === '' ? call : `${call} ${title}`,
      start: start(valid),
      refusals: refusals.map(({ code, ...refused }) => ({
        code,
        start: start({ ...valid, ...refused }),
      })),
    };
  });
