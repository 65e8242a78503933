import { Card, PageHead } from '../ui/page.tsx';

/** Shown to people who cannot use this section: what it is, and who can enable it. */
export function NoAccess({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <PageHead
        title="Sponsorship"
        lead="Sponsor workspaces for your customers, and follow their redemptions and billing."
      />
      <Card title={isAdmin ? 'This feature is not enabled' : 'This page is for administrators'}>
        <p>
          A campaign defines what you sponsor: for how many months, for how many seats, and for
          whom. Everybody who signs up with one of its links gets their own sponsored workspace.
          Here you see redemptions, billing, and sponsorships that end soon.
        </p>
        <p>
          {isAdmin ? (
            <>
              The feature is called <strong>Partner sponsorship</strong>. Ask platform support to
              enable it for your organization.
            </>
          ) : (
            'Ask an administrator of your organization for help, or to make you an administrator.'
          )}
        </p>
      </Card>
    </>
  );
}
