import type { Registry } from 'prom-client';
import { createBackgroundWork } from './background-work.ts';
import { createDomainMetrics } from './domain-metrics.ts';
import { createSecretCipher } from './modules/accounts/second-factor/secret-cipher.ts';
import { readSignInOptions } from './modules/accounts/sign-in/sign-in-options.ts';
import { createKeyCache } from './modules/api-keys/identify-key.ts';
import type { FileVault } from './modules/assistant-files/file-services.ts';
import { createBudgetServices } from './modules/budgets/budget-services.ts';
import { conversationParticipant } from './modules/conversations/record-answer.ts';
import { createEventNotices } from './modules/events/event-notices.ts';
import { createQuotas } from './modules/quotas/quotas.ts';
import { createRunNotices } from './modules/runs/durable/run-notices.ts';
import { createReceiptCipher, createReceiptKeys } from './modules/runs/receipts/receipt-keys.ts';
import { createRunServices } from './modules/runs/services.ts';
import { createLinkInvitationTokens } from './modules/sponsorship/invitations/link-invitation-token.ts';
import { createLinkClicks } from './modules/sponsorship/links/link-clicks.ts';
import { createSponsoredCookies } from './modules/sponsorship/redeeming/sponsored-cookies.ts';
import { createUsageServices } from './modules/usage/usage-services.ts';
import { createVaultFor, type TenantVault } from './modules/vault/tenant-vault.ts';
import type { MonitoredVault } from './modules/vault/vault-access.ts';
import { createWebhookCipher } from './modules/webhooks/webhook-secret.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';
import { AppError } from './platform/errors.ts';
import { createLimits } from './platform/limits.ts';
import type { Log } from './platform/log.ts';
import { createMailer } from './platform/mail/mail.ts';
import { createStorage } from './platform/storage/storage.ts';
import type { TenantPacer } from './platform/tenant-pacer.ts';

type ServiceDependencies = {
  env: Env;
  database: Database;
  log: Log;
  clock: Clock;
  secret: string;
  registry: Registry;
  vault: (FileVault & TenantVault & MonitoredVault) | null;
  worker: number | undefined;
  pacer: Pick<TenantPacer, 'areOthersActive' | 'isPaced'>;
};

/** Creates what every request of the process may use, and the work besides requests. */
export async function createServices({
  env,
  database,
  log,
  clock,
  secret,
  registry,
  vault: configuredVault,
  worker,
  pacer,
}: ServiceDependencies) {
  const vault = configuredVault ?? noVault;
  const limits = await createLimits({ redisUrl: env.REDIS_URL, log, worker });
  const keyCache = createKeyCache({ database, clock, log, limits });
  const mail = await createMailer({ env, log });
  const storage = await createStorage(env, { isSoleUser: database.kind === 'embedded', log });
  const quotas = createQuotas({ env, database, log });
  const files = { storage, vault, quotas, wake: () => background.wakeFiles() };
  const domainMetrics = createDomainMetrics({ registry, database });
  const vaultFor = createVaultFor({
    vault,
    limits,
    organizationLimit: env.VAULT_ORGANIZATION_LIMIT,
    personLimit: env.VAULT_PERSON_LIMIT,
    isPaced: pacer.isPaced,
  });
  const usage = createUsageServices({ env, database, log });
  const budgets = createBudgetServices({ env, database, clock, log, mail });
  const runs = await createRunServices({
    ...{ env, database, log, metrics: domainMetrics, isPaced: pacer.isPaced },
    participants: [usage.recorder, budgets.guard, conversationParticipant],
  });
  const linkClicks = createLinkClicks({ database, limits, clock, log });
  const notices = createRunNotices();
  const eventNotices = createEventNotices({ database, log });
  const webhookCipher = createWebhookCipher(secret);
  const receiptKeys = createReceiptKeys({
    ...{ database, clock, log },
    cipher: createReceiptCipher(secret),
  });
  const linkInvitationTokens = createLinkInvitationTokens({ secret });
  const background = createBackgroundWork({
    ...{ database, clock, log, runs, quotas, vaultFor, files, notices, wake: files.wake },
    ...{ eventNotices, mail, signingKeys: receiptKeys, linkInvitationTokens },
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    tries: {
      cipher: webhookCipher,
      request: { allowLoopback: env.PUBLIC_REQUEST_LOOPBACK, proxyUrl: env.PUBLIC_REQUEST_PROXY },
    },
    processed: domainMetrics.fileProcessed,
    areOthersActive: pacer.areOthersActive,
  });
  const services = {
    database,
    clock,
    log,
    limits,
    credentialsChanged: keyCache.forget,
    runs,
    durableRuns: {
      notices,
      queuedMax: env.QUOTA_QUEUED_RUNS,
      wake: background.wakeRuns,
      stop: background.stopRun,
    },
    files,
    mail,
    signInOptions: readSignInOptions(env),
    sponsoredCookies: createSponsoredCookies({ secret, clock }),
    linkClicks,
    linkInvitationTokens,
    wakeLinkInvitations: background.wakeLinkInvitations,
    allowListNeedsVerifiedEmail: env.NODE_ENV === 'production',
    redemptionLimit: env.REDEMPTION_LIMIT,
    secretCipher: createSecretCipher(secret),
    vault: configuredVault,
    vaultFor,
    quotas,
    usage,
    receiptKeys,
    budgets,
    events: { notices: eventNotices },
    webhooks: {
      cipher: webhookCipher,
      allowLoopback: env.PUBLIC_REQUEST_LOOPBACK,
      wake: background.wakeWebhooks,
    },
    keyLimits: { organizationKey: env.ORGANIZATION_KEY_LIMIT, userKey: env.USER_KEY_LIMIT },
  };
  return {
    services,
    keyCache,
    background,
    /** Call this when no request and no background work uses the services any more. */
    async closeServices(): Promise<void> {
      await linkClicks.close();
      await usage.keeper.close();
      await budgets.close();
      await runs.models.close();
      await runs.outputs?.close();
      await mail.close();
      storage.close();
      quotas.close();
      await limits.close();
    },
  };
}

const unavailable = async (): Promise<never> => {
  throw new AppError('UNAVAILABLE', 'There is no vault');
};
const noVault: FileVault & TenantVault = {
  ingest: unavailable,
  remove: unavailable,
  removeCollection: unavailable,
  collections: unavailable,
  documents: unavailable,
  passagesWithin: unavailable,
  document: unavailable,
  search: unavailable,
  extract: unavailable,
};
