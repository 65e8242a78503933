import { Card } from '../ui/card.tsx';
import { PageHead } from '../ui/page-head.tsx';

/** For who follows a link to this section and may not use it: what it is, and who opens it. */
export function NoAccess({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <PageHead
        title="Sponsorship"
        lead="Give workspaces to your customers, pay for them, and see what becomes of them."
      />
      <Card
        title={isAdmin ? 'Your organization does not have this yet' : 'This is for administrators'}
      >
        <p>
          With campaigns you say what you give away: for how many months, for how many seats, to
          whom. Everybody who signs up by one of a campaign’s links gets a workspace of their own
          that you sponsor, and you see here what was redeemed, what is to be billed, and what ends
          soon.
        </p>
        <p>
          {isAdmin ? (
            <>
              The feature is called <strong>partnerSponsorship</strong>. Platform support switches
              it on for an organization.
            </>
          ) : (
            'Ask an administrator of your organization to look here, or to make you one.'
          )}
        </p>
      </Card>
    </>
  );
}
