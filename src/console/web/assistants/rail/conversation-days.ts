import { formatDate } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';

const dayMs = 86_400_000;
const month = { month: 'long', year: 'numeric' } as const;

/** The heading under which a conversation is listed, by the day of its last question. */
export function dayLabel(at: string, now: Date): string {
  const time = new Date(at);
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (time.getTime() >= today) return t('chat.today');
  if (time.getTime() >= today - dayMs) return t('chat.yesterday');
  if (time.getTime() >= today - 7 * dayMs) return t('chat.previous7Days');
  if (time.getTime() >= today - 30 * dayMs) return t('chat.previous30Days');
  return formatDate(time, month);
}

export type DayGroup<Item> = { label: string; items: Item[] };

/** Groups a list that is in order of time, the newest first. */
export function groupByDay<Item extends { updatedAt: string }>(
  items: readonly Item[],
  now: Date,
): DayGroup<Item>[] {
  const groups: DayGroup<Item>[] = [];
  for (const item of items) {
    const label = dayLabel(item.updatedAt, now);
    const last = groups.at(-1);
    if (last?.label === label) last.items.push(item);
    else groups.push({ label, items: [item] });
  }
  return groups;
}
