import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type RetentionSettings, retentionColumns } from './retention-settings.ts';

type SettingChanges = {
  [Name in keyof RetentionSettings]?: RetentionSettings[Name] | null | undefined;
};

const names = [
  'keepsConversations',
  'retentionDays',
  'keepsRunContent',
  'redactsContent',
] as const satisfies readonly (keyof RetentionSettings)[];

/**
 * Sets what the organization keeps. What was kept before stays until its retention ends: the next
 * sweep applies a shorter one to it.
 */
export async function setRetentionSettings(changes: SettingChanges, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const [before] = await tx.sql<RetentionSettings>`
      select ${retentionColumns} from organizations o where o.id = ${organizationId} for update`;
    if (!before) throw notFound('Organization');
    const changed = names.filter((name) => changes[name] != null && changes[name] !== before[name]);
    if (changed.length === 0) return;
    tx.enqueue`
      update organizations set keeps_conversations = coalesce(${changes.keepsConversations ?? null}::boolean, keeps_conversations),
        retention_days = coalesce(${changes.retentionDays ?? null}::int, retention_days),
        keeps_run_content = coalesce(${changes.keepsRunContent ?? null}::boolean, keeps_run_content),
        redacts_content = coalesce(${changes.redactsContent ?? null}::boolean, redacts_content), updated_at = ${at}
      where id = ${organizationId}`;
    const pick = (settings: SettingChanges) =>
      Object.fromEntries(changed.map((name) => [name, settings[name] ?? null]));
    record({
      action: 'set-retention-settings',
      targetType: 'Organization',
      targetId: organizationId,
      changes: { ...pick(changes), before: pick(before) },
    });
  });
}
