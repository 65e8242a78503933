import { atLeast } from '../../bench/goals.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { receiveMail } from '../../support/mail.ts';
import { vaultParts } from '../../support/vault-parts.ts';
import { operationFor } from '../../support/whole-schema.ts';
import { none, type Proof } from '../proof.ts';
import { plantCanaries, rareWordsOf } from './canaries.ts';
import { keptOf } from './kept.ts';
import {
  graphPlaces,
  graphRequest,
  type Kind,
  type Own,
  otherPlaces,
  placelessFields,
  restPlaces,
} from './places.ts';
import { employ, holdLink, readEverything, shown } from './relations.ts';
import { idsOf } from './rows-of-tenant.ts';
import { callersOfSponsored, furnish, strangers, type Tenant } from './tenants.ts';
import { sent, unknownOf, walk } from './walk.ts';
import { type Witness, witnessOf } from './witness.ts';

const settings = {
  ...{
    ORGANIZATION_KEY_LIMIT: '1000000',
    USER_KEY_LIMIT: '1000000',
    ANONYMOUS_LIMIT: '1000000',
    VAULT_ORGANIZATION_LIMIT: '1000000',
    VAULT_PERSON_LIMIT: '1000000',
  },
  ...{
    EMAIL_VERIFICATION: 'required',
    METRICS_TOKEN: 'the-token-of-the-metrics',
    LOG_LEVEL: 'trace',
  },
};

/**
 * Only the platform's own people come as far as looking here, and whether an assistant can be run
 * is one answer for all that cannot.
 */
const closedToTenants =
  /^mutation set(ApiKeyLimitMax|CampaignPricing|OrganizationTerms)\(|\/run \(|^(mutation|subscription|query) (runAssistant|assistantRun|runnableAssistant|completeSetup)\(|chat\/completions|streamed|sign-in/;

export const proof: Proof = {
  claim:
    'nothing of one tenant comes out to another, and nothing of it changes, whatever is asked for in whatever place',
  async attempt({ quick, seed, say }) {
    const mail = await receiveMail();
    const parts = await vaultParts();
    const app = await testApp({ ...settings, ...mail.settings }, { vault: parts.client });
    app.startProcessing();
    try {
      const mark = `cnry${seed.toString(36)}`;
      const [theirs, ours] = [
        await furnish(app, 'theirs', `${mark}a-file-content`),
        await furnish(app, 'ours', 'a word of ours'),
      ];
      const sponsored = await callersOfSponsored(app, theirs.sponsored);
      const planted = await plantCanaries(app.database, theirs.organizationId, `${mark}a`);
      await plantCanaries(app.database, theirs.sponsored.organizationId, `${mark}s`);
      // It is filled when an account is deleted; until then the address of the account is shown.
      await app.database.prisma.redemption.updateMany({
        where: { organizationId: theirs.organizationId },
        data: { userEmail: null },
      });
      for (const column of planted.empty) say(`no row fills ${column}`);
      const words = await rareWordsOf(app.database, theirs.organizationId);
      const wordsOfSponsored = await rareWordsOf(app.database, theirs.sponsored.organizationId);
      const kept = () => keptOf(app, parts, theirs.organizationId);
      const before = await kept();
      const linesBefore = app.logLines.length;

      // All of it, asked for by whoever has nothing to do with it.
      const witness = witnessOf({ mark, words: new Map([...words, ...wordsOfSponsored]) });
      const own = await ownOf(app, ours);
      const foreign = await foreignTo(app, theirs, mark, quick);
      const places = [...restPlaces(own), ...graphPlaces(own), ...otherPlaces(own)];
      const [key, , memberKey, administrator] = ours.callers;
      const some = [key, memberKey, administrator].flatMap((caller) => caller ?? []);
      const callers = [
        ...(quick ? some : ours.callers),
        ...(await strangers(app, theirs, ours)).slice(0, quick ? 2 : undefined),
      ];
      const unknown = unknownOf(mark);
      const walked = await walk({ app, witness, callers, places, foreign, unknown });
      for (const caller of callers) {
        for (const root of placelessFields)
          witness.hear(
            `${root.name} as ${caller.name}`,
            '',
            await sent(app, caller, graphRequest(root, operationFor(root), {})),
          );
      }

      // Who has to do with it sees what is written down, and nothing more.
      const employer = witnessOf({ mark: `${mark}a`, words });
      const formerEmployer = witnessOf({ mark: `${mark}a`, words });
      await employ(app, ours, own, foreign('email')[0] ?? '', employer, formerEmployer);
      const changed = changesIn(before, await kept());
      const itself = witnessOf({ mark: `${mark}a`, words });
      const partner = witnessOf({ mark: `${mark}s`, words: wordsOfSponsored });
      const ownOfTheirs = await ownOf(app, theirs);
      for (const caller of theirs.callers.filter((_, index) => !quick || index % 3 === 0))
        await readEverything(app, caller, ownOfTheirs, [itself, partner]);
      const guest = witnessOf({ mark: `${mark}a`, words });
      for (const caller of sponsored) await holdLink(app, caller, theirs.linkToken, guest);
      const guestOnly = witnessOf({ mark: `${mark}a`, words });
      const ownOfSponsored = await ownOf(app, theirs.sponsored);
      for (const caller of quick ? [] : sponsored)
        await readEverything(app, caller, ownOfSponsored, [guestOnly]);
      const holder = witnessOf({ mark: `${mark}a`, words });
      for (const caller of callers) await holdLink(app, caller, theirs.linkToken, holder);
      const invited = witnessOf({ mark: `${mark}a`, words });
      for (const caller of callers) await holdLink(app, caller, theirs.invitationToken, invited);

      // The log names who asks, by the id of a key or a person, in a field of its own.
      for (const line of app.logLines.slice(linesBefore))
        witness.hearLine(line.replace(/"caller":"(?:key|user):[^"]*"/, ''));
      const related = [
        ...beside('employer', employer, shown.employer),
        ...beside('former employer', formerEmployer, shown.formerEmployer),
        ...beside('partner', partner, shown.partner),
        ...beside('sponsored', guest, shown.sponsored),
        ...beside('sponsored, without the link', guestOnly, []),
        ...beside('holder of a link', holder, shown.holderOfLink),
        ...beside('holder of an invitation', invited, shown.holderOfInvitation),
      ];
      const unreached = [...walked.unreached].filter((where) => !closedToTenants.test(where));
      for (const line of [
        ...walked.differing,
        ...walked.broken,
        ...changed,
        ...related,
        ...unreached,
      ].slice(0, 50))
        say(line);
      for (const [crossing, where] of witness.crossings)
        say(`came out: ${crossing}, first in ${where}`);
      say(
        `${places.length} places, ${callers.length} callers, ${witness.looked()} answers to others, ${itself.looked()} to themselves`,
      );
      return [
        none('columns of text without a canary', planted.empty.length),
        atLeast(30, {
          figure: 'columns whose canary their own people read',
          value: columnsIn(itself),
          unit: 'columns',
        }),
        none('places that no caller came to look in', unreached.length),
        none(
          'columns that came out to others, in bodies, headers or the log',
          witness.crossings.size,
        ),
        none(
          'fields beyond, or short of, what partners and holders of links are shown',
          related.length,
        ),
        none('answers that differ between foreign and unknown', walked.differing.length),
        none('answers of 5xx, or stopped by limits', walked.broken.length),
        none('tables, files and documents that changed', changed.length),
      ];
    } finally {
      await app.close();
      await parts.close();
      await mail.close();
    }
  },
};

/** What came out beside what is written down. */
function beside(who: string, { crossings }: Witness, written: readonly string[]): string[] {
  const more = [...crossings]
    .filter(([crossing]) => !written.includes(crossing))
    .map(([crossing, where]) => `${who}: is shown ${crossing}, in ${where}`);
  return [
    ...more,
    ...written
      .filter((crossing) => !crossings.has(crossing))
      .map((crossing) => `${who}: is not shown ${crossing}`),
  ];
}

const columnsIn = ({ crossings }: Witness) =>
  new Set([...crossings.keys()].map((crossing) => crossing.split(' → ')[0])).size;

const changesIn = (before: Map<string, string>, after: Map<string, string>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `changed: ${name}: ${before.get(name)} → ${after.get(name)}`);

/** The first of a tenant's ids of each kind, and its texts. */
async function ownOf(
  { database }: TestApp,
  { organizationId }: Pick<Tenant, 'organizationId'>,
): Promise<Own> {
  const ids = await idsOf(database.prisma, organizationId);
  return (kind) => ids.get(kind)?.[0] ?? 'a text of ours';
}

/**
 * What of a tenant can stand in a place: what fits there and, where there is time, whatever it has.
 */
async function foreignTo(
  { database }: TestApp,
  { organizationId }: Tenant,
  mark: string,
  quick: boolean,
): Promise<(kind: Kind) => readonly string[]> {
  const ids = await idsOf(database.prisma, organizationId);
  const people = await database.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${organizationId} and m.role = 'MEMBER'`;
  const all = [...ids.values()].flat();
  return (kind) => {
    if (kind === 'search') return [mark];
    if (kind === 'email') return people.map(({ email }) => email);
    return quick ? (ids.get(kind) ?? []).slice(0, 1) : [...(ids.get(kind) ?? []), ...all];
  };
}
