/**
 * The types to fetch again after a bulk change: its result contains no redemptions, so the cache
 * cannot tell what changed.
 */
export const redemptionCacheTypes = ['Redemption', 'Campaign', 'SponsorshipSummary'];
