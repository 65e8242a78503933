import { addMonths } from '../../src/modules/sponsorship/redemptions/add-months.ts';

type BillingStatus = 'UNBILLED' | 'BILLED' | 'DISPUTED' | 'WAIVED';

export type ModelTerms = {
  durationMonths: number;
  includedSeats: number | null;
  maxRedemptions: number | null;
  expiresAt: Date | null;
  isActive: boolean;
  allowedEmailDomains: string[];
};
export type ModelCampaign = { id: string; terms: ModelTerms };
export type ModelLink = { id: string; token: string; campaign: ModelCampaign; isActive: boolean };
export type ModelReservation = {
  token: string;
  link: ModelLink;
  /** Who was signed in. */
  person: number | null;
  startedAt: number;
  endsAt: number;
  isActiveReservation: boolean;
};
export type ModelRedemption = {
  id: string;
  workspaceId: string;
  link: ModelLink;
  reservation: ModelReservation;
  person: number;
  redeemedAt: number;
  until: number;
  terms: ModelTerms;
  isExtended: boolean;
  status: BillingStatus;
  amount: number | null;
  billedAt: number | null;
  batch: string | null;
  changes: number;
};

/**
 * A model of the sponsorship engine with plain lists and without a database. All addresses are at
 * people.example.
 */
export class RedemptionModel {
  now: number;
  readonly campaigns: ModelCampaign[] = [];
  readonly links: ModelLink[] = [];
  readonly reservations: ModelReservation[] = [];
  readonly redemptions: ModelRedemption[] = [];

  constructor(now: number) {
    this.now = now;
  }

  live = (campaign: ModelCampaign) =>
    this.reservations.filter((item) => item.link.campaign === campaign && this.isLive(item));
  completed = (campaign: ModelCampaign) =>
    this.redemptions.filter((item) => item.link.campaign === campaign);
  isLive = ({ isActiveReservation, endsAt }: ModelReservation) =>
    isActiveReservation && endsAt > this.now;

  /** The reason why a reservation is rejected, or null. */
  reserveRejection(
    link: ModelLink,
    person: number | null,
    previous: ModelReservation | null,
  ): string | null {
    const redeemed =
      person !== null && this.completed(link.campaign).some((item) => item.person === person);
    const closed = this.#closed(link);
    const own = this.#ownLive(link.campaign, person, previous);
    if (closed && !own.some((item) => item.link === link)) return closed;
    if (redeemed) return 'ALREADY_REDEEMED';
    // With an allow-list, a reservation needs an address.
    if (person === null ? link.campaign.terms.allowedEmailDomains.length > 0 : !this.#admits(link))
      return 'EMAIL_NOT_ALLOWED';
    return own.length > 0 || this.#hasRoom(link.campaign, own) ? null : 'CAMPAIGN_EXHAUSTED';
  }

  /** When the person's reservation ends if it can only be kept, and not be extended; else null. */
  keptUntil(
    link: ModelLink,
    person: number | null,
    previous: ModelReservation | null,
  ): number | null {
    const own = this.#ownLive(link.campaign, person, previous).filter((item) => item.link === link);
    if (this.#closed(link) === null || own.length === 0) return null;
    return Math.max(...own.map(({ endsAt }) => endsAt));
  }

  /** A renewed reservation keeps its start and ends at most two hours after it. */
  reserve(
    link: ModelLink,
    person: number | null,
    previous: ModelReservation | null,
    token: string,
  ): ModelReservation {
    const own = this.#ownLive(link.campaign, person, previous);
    const startedAt = Math.min(this.now, ...own.map((item) => item.startedAt));
    for (const item of own) item.isActiveReservation = false;
    const created = {
      token,
      link,
      person,
      startedAt,
      endsAt: Math.min(this.now + 30 * 60_000, startedAt + 120 * 60_000),
      isActiveReservation: true,
    };
    this.reservations.push(created);
    return created;
  }

  /** The existing redemption, the reason of a rejection, or null if a new redemption is created. */
  completeRejection(
    link: ModelLink,
    reservation: ModelReservation,
    person: number,
  ): ModelRedemption | string | null {
    const own = this.completed(link.campaign).find((item) => item.person === person);
    if (own) return own.reservation === reservation ? own : 'ALREADY_REDEEMED';
    if (this.redemptions.some((item) => item.reservation === reservation)) return 'NOT_FOUND';
    if (!this.#admits(link)) return 'EMAIL_NOT_ALLOWED';
    const held = this.#ownLive(link.campaign, person, reservation);
    if (held.some((item) => item.link === link)) return null;
    return this.#closed(link) ?? (this.#hasRoom(link.campaign, held) ? null : 'CAMPAIGN_EXHAUSTED');
  }

  complete(
    link: ModelLink,
    reservation: ModelReservation,
    person: number,
    created: { id: string; workspaceId: string },
  ): ModelRedemption {
    const { terms } = link.campaign;
    const until = addMonths(new Date(this.now), terms.durationMonths).getTime();
    const details = { link, reservation, person, redeemedAt: this.now, until, terms: { ...terms } };
    const redemption = {
      ...created,
      ...details,
      isExtended: false,
      status: 'UNBILLED' as const,
      amount: null,
      billedAt: null,
      batch: null,
      changes: 0,
    };
    for (const item of this.#ownLive(link.campaign, person, reservation))
      item.isActiveReservation = false;
    this.redemptions.push(redemption);
    return redemption;
  }

  bill(
    redemption: ModelRedemption,
    {
      status,
      amount,
      batch,
    }: { status: BillingStatus; amount: number | undefined; batch: string | undefined },
  ): void {
    if (amount !== undefined) redemption.amount = amount;
    if (batch !== undefined) redemption.batch = batch;
    if (status === 'BILLED' && redemption.status !== 'BILLED') redemption.billedAt = this.now;
    if (status === 'UNBILLED') [redemption.billedAt, redemption.batch] = [null, null];
    redemption.status = status;
    redemption.changes += 1;
  }

  #closed({ isActive, campaign: { terms } }: ModelLink): string | null {
    if (!isActive) return 'LINK_INACTIVE';
    if (!terms.isActive) return 'CAMPAIGN_INACTIVE';
    return terms.expiresAt !== null && terms.expiresAt.getTime() <= this.now
      ? 'CAMPAIGN_EXPIRED'
      : null;
  }

  #admits({ campaign: { terms } }: ModelLink): boolean {
    return (
      terms.allowedEmailDomains.length === 0 || terms.allowedEmailDomains.includes('people.example')
    );
  }

  /** A person's reservations of a campaign: that of the browser, and that of their account. */
  #ownLive(
    campaign: ModelCampaign,
    person: number | null,
    ofBrowser: ModelReservation | null,
  ): ModelReservation[] {
    return this.live(campaign).filter(
      (item) => item === ofBrowser || (person !== null && item.person === person),
    );
  }

  #hasRoom(campaign: ModelCampaign, except: readonly ModelReservation[]): boolean {
    const used =
      this.completed(campaign).length +
      this.live(campaign).filter((item) => !except.includes(item)).length;
    return campaign.terms.maxRedemptions === null || used < campaign.terms.maxRedemptions;
  }
}
