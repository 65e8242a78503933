/** What is asked for anew when redemptions were changed together: the answer names none of them. */
export const redemptionCacheTypes = ['Redemption', 'Campaign', 'SponsorshipSummary'];
