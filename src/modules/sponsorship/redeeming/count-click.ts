import type { Context } from '../../../access/context.ts';

const minuteMs = 60_000;
const openedMinutes = 30;

/**
 * Counts that a visitor has opened a link, once in half an hour for each browser. The cookie that
 * remembers it is the same for all browsers that open the link in the same minute, so it identifies
 * nobody.
 */
export function countClick(token: string, context: Context): void {
  const { opened, reservation } = context.sponsoredCookies({ ...context, token });
  if (opened.value !== null || reservation.value !== null) return;
  const minute = Math.ceil(context.clock().getTime() / minuteMs);
  opened.set('1', new Date((minute + openedMinutes) * minuteMs));
  context.linkClicks.count(token, context.clientInfo.address);
}
