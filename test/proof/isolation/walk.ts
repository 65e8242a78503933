import type { IncomingMessage } from 'node:http';
import { newId } from '../../../src/platform/ids.ts';
import type { TestApp } from '../../support/app.ts';
import type { Asked, Kind, Place } from './places.ts';
import { type Caller, nobody } from './tenants.ts';
import { comparable, type Heard, type Witness } from './witness.ts';

export async function sent(
  app: TestApp,
  caller: Caller,
  { method, path, headers, body }: Asked,
): Promise<Heard> {
  const request = new Request(`http://atrium.test${path}`, {
    method,
    headers: { ...caller.headers, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  // Each from an address of its own: what an address may look at in a minute would end the walk.
  const req = {
    socket: { remoteAddress: nextAddress() },
    headers: { host: 'atrium.test' },
    rawHeaders: ['host', 'atrium.test'],
  } as unknown as IncomingMessage;
  const response = await app.fetch(request, { req });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

type Walk = {
  app: TestApp;
  witness: Witness;
  callers: readonly Caller[];
  places: readonly Place[];
  /** What of the other tenant can stand in a place, the best guess first. */
  foreign: (kind: Kind) => readonly string[];
  /** Nobody's. */
  unknown: (kind: Kind) => string;
};

/** `unreached` are the places that every caller was kept from before anything was looked for. */
export type Walked = { differing: string[]; broken: string[]; unreached: Set<string> };

/**
 * Asks for everything of another tenant in every place, and for what there is not; both must be
 * answered alike.
 */
export async function walk({
  app,
  witness,
  callers,
  places,
  foreign,
  unknown,
}: Walk): Promise<Walked> {
  const walked: Walked = {
    differing: [],
    broken: [],
    unreached: new Set(places.map(({ where }) => where)),
  };
  // Everybody asks one question before the next: its document is then parsed once.
  for (const { where, kinds, isComparable, isForNobody = false, ask } of places) {
    for (const caller of isForNobody
      ? callers.filter(({ headers }) => headers === nobody)
      : callers) {
      const here = `${where} as ${caller.name}`;
      const hear = async (standing: (kind: Kind) => string) => {
        const asked = ask(standing);
        const answer = await sent(app, caller, asked);
        const values = kinds.map(standing);
        witness.hear(here, values.join(' ') + asked.path, answer);
        if (answer.status >= 500) walked.broken.push(`${answer.status} ${here}`);
        const isRefused =
          answer.status === 401 || answer.status === 403 || refusedByGraph.test(answer.text);
        return { told: comparable(answer, values), text: answer.text, isRefused };
      };
      const nothing = await hear(unknown);
      if (!nothing.isRefused) walked.unreached.delete(where);
      if (stopped.test(nothing.text)) walked.broken.push(`the limits of a document stop ${here}`);
      const tries = Math.max(...kinds.map((kind) => foreign(kind).length));
      for (let index = 0; index < tries; index += 1) {
        const something = await hear((kind) => foreign(kind)[index] ?? foreign(kind)[0] ?? '');
        if (isComparable && something.told !== nothing.told)
          walked.differing.push(`${here}\n  theirs  ${something.told}\n  unknown ${nothing.told}`);
      }
    }
  }
  return walked;
}

const stopped = /"(The query|This document|You) [^"]*(ask for|too (deep|many|large))/;

const refusedByGraph =
  /^\{("data":null,)?"errors":.*"code":"(FORBIDDEN|UNAUTHENTICATED|FEATURE_DISABLED)"/;

/** What there is not, in the form of what there is. */
export function unknownOf(mark: string): (kind: Kind) => string {
  const id = newId();
  return (kind) =>
    kind === 'search'
      ? [...mark].reverse().join('')
      : kind === 'email'
        ? 'unknown@unknown.example'
        : id;
}
