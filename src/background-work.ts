import {
  type FileProcessor,
  processFiles,
} from './modules/assistant-files/processing/process-files.ts';
import { scheduleSealing } from './modules/audit/sealing/schedule-sealing.ts';
import { scheduleSweep } from './modules/conversations/sweep-conversations.ts';
import { scheduleAnnouncements } from './modules/events/announce-due.ts';
import type { EventNotices } from './modules/events/event-notices.ts';
import { scheduleNotificationSweep } from './modules/notifications/sweep-notifications.ts';
import { processRuns, type RunProcessor } from './modules/runs/durable/process-runs.ts';
import { scheduleLinkInvitations } from './modules/sponsorship/invitations/send-link-invitations.ts';
import {
  type DelivererDependencies,
  deliverWebhooks,
  type WebhookDeliverer,
} from './modules/webhooks/delivering/deliver-webhooks.ts';
import type { RepeatedWork } from './platform/repeat.ts';

type BackgroundDependencies = Omit<Parameters<typeof processRuns>[0], 'signal'> &
  Parameters<typeof processFiles>[0] &
  Parameters<typeof scheduleSweep>[0] &
  Parameters<typeof scheduleSealing>[0] &
  Parameters<typeof scheduleLinkInvitations>[0] &
  DelivererDependencies & { eventNotices: EventNotices };

/**
 * The work of a process besides requests: durable runs, files, webhooks, the sweep of old content,
 * events about dates, the sealing of the audit log, and invitations to links.
 */
export function createBackgroundWork(dependencies: BackgroundDependencies) {
  let files: FileProcessor | undefined;
  let runs: RunProcessor | undefined;
  let webhooks: WebhookDeliverer | undefined;
  let invitations: ReturnType<typeof scheduleLinkInvitations> | undefined;
  let repeated: readonly RepeatedWork[] | undefined;
  return {
    wakeFiles: () => files?.wake(),
    wakeRuns: () => runs?.wake(),
    wakeWebhooks: () => webhooks?.wake(),
    wakeLinkInvitations: () => invitations?.wake(),
    stopRun: (id: string) => runs?.stopRun(id),
    /** Files need a vault. */
    start({ processesFiles } = { processesFiles: true }): void {
      repeated ??= [
        scheduleSweep(dependencies),
        scheduleNotificationSweep(dependencies),
        scheduleAnnouncements(dependencies),
        scheduleSealing(dependencies),
      ];
      invitations ??= scheduleLinkInvitations(dependencies);
      runs ??= processRuns(dependencies);
      webhooks ??= deliverWebhooks(dependencies);
      if (processesFiles) files ??= processFiles(dependencies);
    },
    /**
     * Takes no more work, and answers readers that wait for events. Resolves when the work in
     * progress has ended.
     */
    async stop(): Promise<void> {
      dependencies.eventNotices.close();
      await Promise.all(
        [...(repeated ?? []), files, runs, webhooks, invitations].map((work) => work?.stop()),
      );
    },
  };
}
