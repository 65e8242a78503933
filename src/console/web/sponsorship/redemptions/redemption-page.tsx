import { Link } from 'wouter';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { BillingBadge } from '../billing-status.tsx';
import { Fact, priceOf } from '../campaigns/terms-card.tsx';
import { Moment } from '../day.tsx';
import { RedemptionDocument, type RedemptionQuery } from '../documents.ts';
import { eur } from '../money.ts';
import { BillDialog } from './bill-dialog.tsx';
import { BillingHistory } from './billing-history.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { Extensions } from './extensions.tsx';

const back = { href: '/redemptions', label: 'Redemptions' };
const nothing = () => {};

/**
 * One sponsored workspace: its own copy of the terms, how it is billed, and what became of that.
 */
export function RedemptionPage({ redemptionId }: { redemptionId: string }) {
  const answer = useGraphQuery(RedemptionDocument, { redemptionId, page: 1 });
  const found = answer.data?.redemption;
  const chosen = found && new Map([[found.id, found]]);
  return (
    <>
      <PageHead
        title={found?.organizationName ?? 'Redemption'}
        back={back}
        lead={found && `Redeemed by ${found.userEmail}`}
        actions={
          chosen && (
            <>
              <BillDialog chosen={chosen} onDone={nothing} />
              <ExtendDialog chosen={chosen} onDone={nothing} />
            </>
          )
        }
      />
      <Loaded answer={answer} lines={8}>
        {({ redemption }) => (
          <>
            <div className="sponsorship-pair">
              <Sponsored redemption={redemption} />
              <Billed redemption={redemption} />
            </div>
            <BillingHistory redemptionId={redemptionId} />
            <Extensions redemptionId={redemptionId} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Found = { redemption: RedemptionQuery['redemption'] };

function Sponsored({ redemption }: Found) {
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
          <Moment at={redeemedAt} />
        </Fact>
        <Fact term={Date.parse(sponsoredUntil) > Date.now() ? 'Ends' : 'Ended'}>
          <Moment at={sponsoredUntil} />
        </Fact>
        <Fact term="Began with">
          {durationMonths === 1 ? '1 month' : `${durationMonths} months`}
        </Fact>
        <Fact term="Seats used">
          {includedSeats === null
            ? `${usedSeats}, without a cap`
            : `${usedSeats} of ${includedSeats}`}
        </Fact>
        <Fact term="Extended">
          {extendedUntil === null ? 'Never' : <Moment at={extendedUntil} />}
        </Fact>
        {extensionReason && <Fact term="Why it was extended">{extensionReason}</Fact>}
      </dl>
    </Card>
  );
}

function Billed({
  redemption: { billingStatus, billingAmount, billedAt, billingBatchId, pricing },
}: Found) {
  return (
    <Card title="Billing">
      <dl className="sponsorship-facts">
        <Fact term="Status">
          <BillingBadge status={billingStatus} />
        </Fact>
        <Fact term="Amount">{billingAmount === null ? '–' : eur(billingAmount)}</Fact>
        <Fact term="Billed">{billedAt === null ? 'Not yet' : <Moment at={billedAt} />}</Fact>
        <Fact term="Batch or invoice">{billingBatchId ?? '–'}</Fact>
        <Fact term="Price when it was redeemed">
          {pricing === null ? 'None' : priceOf(pricing)}
        </Fact>
      </dl>
    </Card>
  );
}
