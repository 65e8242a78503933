import { atLeast } from '../../bench/goals.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { receiveMail } from '../../support/mail.ts';
import { operationFor } from '../../support/schema-operations.ts';
import { startVaultServers } from '../../support/vault-servers.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { identifyingWords, plantCanaries } from './canaries.ts';
import { entitySlots } from './entity-slots.ts';
import { createLeakDetector, type LeakDetector } from './leak-detector.ts';
import {
  addAndRemoveMember,
  readEverything,
  readWithToken,
  visibleToRelated,
} from './relations.ts';
import {
  fieldsWithoutSlots,
  graphRequest,
  graphSlots,
  type OwnValues,
  otherSlots,
  restSlots,
  type ValueKind,
} from './request-slots.ts';
import { idsByTable } from './rows-of-tenant.ts';
import { tenantChecksums } from './tenant-checksums.ts';
import { callersOfSponsored, createTenant, type Tenant, unrelatedCallers } from './tenants.ts';
import { sendAs, trySlots, unknownValues } from './try-slots.ts';

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
    FEDERATION: 'true',
  },
};

/**
 * Slots that no tenant can reach: operations of platform support, and runs, which answer the same
 * for every assistant that the caller cannot run.
 */
const unreachableForTenants =
  /^mutation set(ApiKeyLimitMax|CampaignPricing|OrganizationTerms)\(|\/run \(|^(mutation|subscription|query) (runAssistant|startRun|assistantRun|runnableAssistant|completeSetup|createConversation|sharedConversation)\(|\/shared\/|chat\/completions|streamed|sign-in/;

export const proof: Proof = {
  claim:
    'No request of one tenant reads or changes data of another, whichever id or text it contains in whichever position',
  async measure({ quick, seed, log }) {
    const mail = await receiveMail();
    const parts = await startVaultServers();
    const app = await testApp({ ...settings, ...mail.settings }, { vault: parts.client });
    app.startProcessing();
    try {
      const mark = `cnry${seed.toString(36)}`;
      const [foreignTenant, ownTenant] = [
        await createTenant(app, 'foreign', `${mark}a-file-content`),
        await createTenant(app, 'own', 'a text of the own tenant'),
      ];
      const sponsored = await callersOfSponsored(app, foreignTenant.sponsored);
      const planted = await plantCanaries(app.database, foreignTenant.organizationId, `${mark}a`);
      await plantCanaries(app.database, foreignTenant.sponsored.organizationId, `${mark}s`);
      // This column is filled only when an account is deleted. While it is empty, the API shows the
      // address of the account.
      await app.database.prisma.redemption.updateMany({
        where: { organizationId: foreignTenant.organizationId },
        data: { userEmail: null },
      });
      for (const column of planted.empty) log(`no row has text in ${column}`);
      const words = await identifyingWords(app.database, foreignTenant.organizationId);
      const wordsOfSponsored = await identifyingWords(
        app.database,
        foreignTenant.sponsored.organizationId,
      );
      const checksums = () => tenantChecksums(app, parts, foreignTenant.organizationId);
      const checksumsBefore = await checksums();
      const linesBefore = app.logLines.length;

      // Callers without any relation to the foreign tenant try every slot.
      const foreignLeaks = createLeakDetector({
        mark,
        words: new Map([...words, ...wordsOfSponsored]),
      });
      const ownValues = await firstValuesOf(app, ownTenant);
      const foreignValues = await foreignValuesOf(app, foreignTenant, mark, quick);
      const slots = [
        ...restSlots(ownValues),
        ...graphSlots(ownValues),
        ...entitySlots(),
        ...otherSlots(ownValues),
      ];
      const [key, , memberKey, administrator] = ownTenant.callers;
      const quickCallers = [key, memberKey, administrator].flatMap((caller) => caller ?? []);
      const callers = [
        ...(quick ? quickCallers : ownTenant.callers),
        ...(await unrelatedCallers(app, foreignTenant, ownTenant)).slice(0, quick ? 2 : undefined),
      ];
      const unknown = unknownValues(mark);
      const trialResult = await trySlots({
        app,
        leakDetector: foreignLeaks,
        callers,
        slots,
        foreign: foreignValues,
        unknown,
      });
      for (const caller of callers) {
        for (const root of fieldsWithoutSlots)
          foreignLeaks.checkAnswer(
            `${root.name} as ${caller.name}`,
            '',
            await sendAs(app, caller, graphRequest(root, operationFor(root), {})),
          );
      }

      // Callers with a relation to the foreign tenant must see exactly what `visibleToRelated`
      // lists.
      const employerLeaks = createLeakDetector({ mark: `${mark}a`, words });
      const formerEmployerLeaks = createLeakDetector({ mark: `${mark}a`, words });
      await addAndRemoveMember(
        app,
        ownTenant,
        ownValues,
        foreignValues('email')[0] ?? '',
        employerLeaks,
        formerEmployerLeaks,
      );
      const changed = describeChanges(checksumsBefore, await checksums());
      const ownTenantReads = createLeakDetector({ mark: `${mark}a`, words });
      const partnerLeaks = createLeakDetector({ mark: `${mark}s`, words: wordsOfSponsored });
      const valuesOfForeign = await firstValuesOf(app, foreignTenant);
      for (const caller of foreignTenant.callers.filter((_, index) => !quick || index % 3 === 0))
        await readEverything(app, caller, valuesOfForeign, [ownTenantReads, partnerLeaks]);
      const sponsoredLeaks = createLeakDetector({ mark: `${mark}a`, words });
      for (const caller of sponsored)
        await readWithToken(app, caller, foreignTenant.linkToken, sponsoredLeaks);
      const sponsoredLeaksWithoutLink = createLeakDetector({ mark: `${mark}a`, words });
      const valuesOfSponsored = await firstValuesOf(app, foreignTenant.sponsored);
      for (const caller of quick ? [] : sponsored)
        await readEverything(app, caller, valuesOfSponsored, [sponsoredLeaksWithoutLink]);
      const linkHolderLeaks = createLeakDetector({ mark: `${mark}a`, words });
      for (const caller of callers)
        await readWithToken(app, caller, foreignTenant.linkToken, linkHolderLeaks);
      const invitationHolderLeaks = createLeakDetector({ mark: `${mark}a`, words });
      for (const caller of callers)
        await readWithToken(app, caller, foreignTenant.invitationToken, invitationHolderLeaks);

      // The field `caller` of the log contains the id of the calling key or person on purpose.
      for (const line of app.logLines.slice(linesBefore))
        foreignLeaks.checkLogLine(line.replace(/"caller":"(?:key|user):[^"]*"/, ''));
      const relatedDifferences = [
        ...differencesFrom('employer', employerLeaks, visibleToRelated.employer),
        ...differencesFrom('former employer', formerEmployerLeaks, visibleToRelated.formerEmployer),
        ...differencesFrom('partner', partnerLeaks, visibleToRelated.partner),
        ...differencesFrom('sponsored', sponsoredLeaks, visibleToRelated.sponsored),
        ...differencesFrom('sponsored, without the link', sponsoredLeaksWithoutLink, []),
        ...differencesFrom('holder of a link', linkHolderLeaks, visibleToRelated.holderOfLink),
        ...differencesFrom(
          'holder of an invitation',
          invitationHolderLeaks,
          visibleToRelated.holderOfInvitation,
        ),
      ];
      const unreached = [...trialResult.unreached].filter(
        (where) => !unreachableForTenants.test(where),
      );
      for (const line of [
        ...trialResult.differing,
        ...trialResult.broken,
        ...changed,
        ...relatedDifferences,
        ...unreached,
      ].slice(0, 50))
        log(line);
      for (const [leak, where] of foreignLeaks.leaks) log(`leaked: ${leak}, first in ${where}`);
      log(
        `${slots.length} slots, ${callers.length} callers, ${foreignLeaks.answerCount()} answers to other tenants, ${ownTenantReads.answerCount()} to the tenant itself`,
      );
      return [
        exactlyZero('text columns without a canary', planted.empty.length),
        atLeast(30, {
          figure: 'columns whose canary the tenant itself reads',
          value: countColumns(ownTenantReads),
          unit: 'columns',
        }),
        exactlyZero('request positions that no caller could reach', unreached.length),
        exactlyZero(
          'columns leaked to other tenants, in bodies, headers or the log',
          foreignLeaks.leaks.size,
        ),
        exactlyZero(
          'fields that partners and link holders see by mistake, or miss',
          relatedDifferences.length,
        ),
        exactlyZero(
          'answers that differ between foreign and unknown ids',
          trialResult.differing.length,
        ),
        exactlyZero('answers of 5xx, or refused by limits', trialResult.broken.length),
        exactlyZero('tables, files and documents changed by other tenants', changed.length),
      ];
    } finally {
      await app.close();
      await parts.close();
      await mail.close();
    }
  },
};

/** The leaks that are not expected, and the expected ones that are missing. */
function differencesFrom(
  who: string,
  { leaks }: LeakDetector,
  expected: readonly string[],
): string[] {
  const unexpected = [...leaks]
    .filter(([leak]) => !expected.includes(leak))
    .map(([leak, where]) => `${who}: sees ${leak}, in ${where}`);
  return [
    ...unexpected,
    ...expected.filter((leak) => !leaks.has(leak)).map((leak) => `${who}: does not see ${leak}`),
  ];
}

const countColumns = ({ leaks }: LeakDetector) =>
  new Set([...leaks.keys()].map((leak) => leak.split(' → ')[0])).size;

const describeChanges = (checksumsBefore: Map<string, string>, after: Map<string, string>) =>
  [...new Set([...checksumsBefore.keys(), ...after.keys()])]
    .filter((name) => checksumsBefore.get(name) !== after.get(name))
    .map((name) => `changed: ${name}: ${checksumsBefore.get(name)} → ${after.get(name)}`);

/** The first id of a tenant for each table, and a text for other kinds. */
async function firstValuesOf(
  { database }: TestApp,
  { organizationId }: Pick<Tenant, 'organizationId'>,
): Promise<OwnValues> {
  const ids = await idsByTable(database.prisma, organizationId);
  return (kind) => ids.get(kind)?.[0] ?? 'a text of the own tenant';
}

/**
 * The values of a tenant for a slot: those of the right kind, and in the long version all its ids.
 */
async function foreignValuesOf(
  { database }: TestApp,
  { organizationId }: Tenant,
  mark: string,
  quick: boolean,
): Promise<(kind: ValueKind) => readonly string[]> {
  const ids = await idsByTable(database.prisma, organizationId);
  const people = await database.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${organizationId} and m.role = 'MEMBER'`;
  const all = [...ids.values()].flat();
  return (kind) => {
    if (kind === 'search') return [mark];
    if (kind === 'email') return people.map(({ email }) => email);
    return quick ? (ids.get(kind) ?? []).slice(0, 1) : [...(ids.get(kind) ?? []), ...all];
  };
}
