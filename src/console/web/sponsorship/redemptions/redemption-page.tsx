import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { Fact, formatPrice } from '../campaigns/terms-card.tsx';
import { RedemptionDocument, type RedemptionQuery } from '../documents.ts';
import { formatEuro } from '../money.ts';
import { UtcDateTime } from '../utc-date.tsx';
import { BillingDialog } from './billing-dialog.tsx';
import { BillingHistory } from './billing-history.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { Extensions } from './extensions.tsx';

const back = { href: '/redemptions', label: 'Redemptions' };
const doNothing = () => {};

/** One redemption: the terms copied from the campaign, its billing, and its extensions. */
export function RedemptionPage({ redemptionId }: { redemptionId: string }) {
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page: 1 });
  const loaded = answer.data?.redemption;
  const selected = loaded && new Map([[loaded.id, loaded]]);
  return (
    <>
      <PageHead
        title={loaded?.organizationName ?? 'Redemption'}
        back={back}
        lead={loaded && `Redeemed by ${loaded.userEmail}`}
        actions={
          selected && (
            <>
              <BillingDialog selected={selected} onDone={doNothing} />
              <ExtendDialog selected={selected} onDone={doNothing} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={8}>
        {({ redemption }) => (
          <>
            <div className="sponsorship-pair">
              <SponsorshipCard redemption={redemption} />
              <BillingCard redemption={redemption} />
            </div>
            <BillingHistory redemptionId={redemptionId} />
            <Extensions redemptionId={redemptionId} />
          </>
        )}
      </Loaded>
    </>
  );
}

type RedemptionCardProps = { redemption: RedemptionQuery['redemption'] };

function SponsorshipCard({ redemption }: RedemptionCardProps) {
  const {
    campaignId,
    campaignName,
    linkName,
    redeemedAt,
    sponsoredUntil,
    extendedUntil,
    extensionReason,
    durationMonths,
    includedSeats,
    usedSeats,
  } = redemption;
  return (
    <Card title="Sponsorship">
      <dl className="sponsorship-facts">
        <Fact term="Campaign">
          <Link href={`/campaigns/${campaignId}`}>{campaignName}</Link>
        </Fact>
        <Fact term="Link">{linkName}</Fact>
        <Fact term="Redeemed">
          <UtcDateTime at={redeemedAt} />
        </Fact>
        <Fact term={Date.parse(sponsoredUntil) > Date.now() ? 'Ends' : 'Ended'}>
          <UtcDateTime at={sponsoredUntil} />
        </Fact>
        <Fact term="Initial duration">
          {durationMonths === 1 ? '1 month' : `${durationMonths} months`}
        </Fact>
        <Fact term="Seats used">
          {includedSeats === null ? `${usedSeats}, no limit` : `${usedSeats} of ${includedSeats}`}
        </Fact>
        <Fact term="Extended">
          {extendedUntil === null ? 'Never' : <UtcDateTime at={extendedUntil} />}
        </Fact>
        {extensionReason && <Fact term="Reason for the extension">{extensionReason}</Fact>}
      </dl>
    </Card>
  );
}

function BillingCard({
  redemption: { billingStatus, billingAmount, billedAt, billingBatchId, pricing },
}: RedemptionCardProps) {
  return (
    <Card title="Billing">
      <dl className="sponsorship-facts">
        <Fact term="Status">
          <BillingBadge status={billingStatus} />
        </Fact>
        <Fact term="Amount">{billingAmount === null ? '–' : formatEuro(billingAmount)}</Fact>
        <Fact term="Billed">{billedAt === null ? 'Not yet' : <UtcDateTime at={billedAt} />}</Fact>
        <Fact term="Batch or invoice">{billingBatchId ?? '–'}</Fact>
        <Fact term="Price at redemption">{pricing === null ? 'None' : formatPrice(pricing)}</Fact>
      </dl>
    </Card>
  );
}
