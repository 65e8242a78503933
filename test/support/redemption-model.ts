import { addMonths } from '../../src/modules/sponsorship/add-months.ts';

type Status = 'UNBILLED' | 'BILLED' | 'DISPUTED' | 'WAIVED';

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
  startedAt: number;
  endsAt: number;
  isHeld: boolean;
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
  status: Status;
  amount: number | null;
  billedAt: number | null;
  batch: string | null;
  changes: number;
};

/**
 * What the engine should do, in plain lists and without a database. Everybody's address is at
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
    this.reservations.filter((one) => one.link.campaign === campaign && this.isLive(one));
  completed = (campaign: ModelCampaign) =>
    this.redemptions.filter((one) => one.link.campaign === campaign);
  isLive = ({ isHeld, endsAt }: ModelReservation) => isHeld && endsAt > this.now;

  /** Why a reservation is refused; null where it is not. */
  whyNotReserve(
    link: ModelLink,
    person: number | null,
    earlier: ModelReservation | null,
  ): string | null {
    const redeemed =
      person !== null && this.completed(link.campaign).some((one) => one.person === person);
    const closed = this.#closed(link);
    if (closed && !this.#holds(link, earlier)) return closed;
    if (redeemed) return 'ALREADY_REDEEMED';
    // Without an address nobody reserves where there is an allow-list.
    if (person === null ? link.campaign.terms.allowedEmailDomains.length > 0 : !this.#admits(link))
      return 'EMAIL_NOT_ALLOWED';
    const holds =
      earlier !== null && earlier.link.campaign === link.campaign && this.isLive(earlier);
    return holds || this.#hasRoom(link.campaign, earlier) ? null : 'CAMPAIGN_EXHAUSTED';
  }

  /** Whether the one from before is all there is: it holds on, and no longer than it would have. */
  onlyKeeps = (link: ModelLink, earlier: ModelReservation | null): earlier is ModelReservation =>
    this.#closed(link) !== null && this.#holds(link, earlier);

  /** A renewed reservation keeps its beginning, and ends two hours after it at the latest. */
  reserve(link: ModelLink, earlier: ModelReservation | null, token: string): ModelReservation {
    const isRenewed =
      earlier !== null && earlier.link.campaign === link.campaign && this.isLive(earlier);
    const startedAt = isRenewed ? earlier.startedAt : this.now;
    if (earlier && earlier.link.campaign === link.campaign) earlier.isHeld = false;
    const made = {
      token,
      link,
      startedAt,
      endsAt: Math.min(this.now + 30 * 60_000, startedAt + 120 * 60_000),
      isHeld: true,
    };
    this.reservations.push(made);
    return made;
  }

  /** The redemption there is already, the reason of a refusal, or null: a new one is made. */
  whyNotComplete(
    link: ModelLink,
    reservation: ModelReservation,
    person: number,
  ): ModelRedemption | string | null {
    const own = this.completed(link.campaign).find((one) => one.person === person);
    if (own) return own.reservation === reservation ? own : 'ALREADY_REDEEMED';
    if (this.redemptions.some((one) => one.reservation === reservation)) return 'NOT_FOUND';
    if (!this.#admits(link)) return 'EMAIL_NOT_ALLOWED';
    if (this.#holds(link, reservation)) return null;
    return (
      this.#closed(link) ??
      (this.#hasRoom(link.campaign, reservation) ? null : 'CAMPAIGN_EXHAUSTED')
    );
  }

  complete(
    link: ModelLink,
    reservation: ModelReservation,
    person: number,
    made: { id: string; workspaceId: string },
  ): ModelRedemption {
    const { terms } = link.campaign;
    const until = addMonths(new Date(this.now), terms.durationMonths).getTime();
    const place = { link, reservation, person, redeemedAt: this.now, until, terms: { ...terms } };
    const redemption = {
      ...made,
      ...place,
      isExtended: false,
      status: 'UNBILLED' as const,
      amount: null,
      billedAt: null,
      batch: null,
      changes: 0,
    };
    if (reservation.link.campaign === link.campaign) reservation.isHeld = false;
    this.redemptions.push(redemption);
    return redemption;
  }

  bill(
    redemption: ModelRedemption,
    {
      status,
      amount,
      batch,
    }: { status: Status; amount: number | undefined; batch: string | undefined },
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

  #holds(link: ModelLink, reservation: ModelReservation | null): boolean {
    return reservation !== null && reservation.link === link && this.isLive(reservation);
  }

  #hasRoom(campaign: ModelCampaign, except: ModelReservation | null): boolean {
    const taken =
      this.completed(campaign).length + this.live(campaign).filter((one) => one !== except).length;
    return campaign.terms.maxRedemptions === null || taken < campaign.terms.maxRedemptions;
  }
}
