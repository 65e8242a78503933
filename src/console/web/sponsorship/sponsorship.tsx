import { Route, Switch } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { useViewer } from '../session/session.tsx';
import { BrandingPage } from './branding/branding-page.tsx';
import { CampaignPage } from './campaigns/campaign-page.tsx';
import { Campaigns } from './campaigns/campaigns.tsx';
import { LinkPage } from './links/link-page.tsx';
import { NoAccess } from './no-access.tsx';
import { Overview } from './overview/overview.tsx';
import { RedemptionPage } from './redemptions/redemption-page.tsx';
import { Redemptions } from './redemptions/redemptions.tsx';
import { StatementPage } from './statements/statement-page.tsx';
import { Statements } from './statements/statements.tsx';
import './sponsorship.css';

/**
 * The section for sponsors: administrators of organizations with the feature partnerSponsorship.
 */
export function Sponsorship() {
  const { isAdmin, features } = useViewer();
  if (!isAdmin || !features.includes('PARTNER_SPONSORSHIP')) return <NoAccess isAdmin={isAdmin} />;
  return (
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/campaigns" component={Campaigns} />
      <Route path="/campaigns/:campaignId">
        {({ campaignId }) => <CampaignPage key={campaignId} campaignId={campaignId} />}
      </Route>
      <Route path="/links/:linkId">
        {({ linkId }) => <LinkPage key={linkId} linkId={linkId} />}
      </Route>
      <Route path="/redemptions" component={Redemptions} />
      <Route path="/redemptions/:redemptionId">
        {({ redemptionId }) => <RedemptionPage key={redemptionId} redemptionId={redemptionId} />}
      </Route>
      <Route path="/statements" component={Statements} />
      <Route path="/statements/:month">
        {({ month }) => <StatementPage key={month} month={month} />}
      </Route>
      <Route path="/branding" component={BrandingPage} />
      <Route component={NotFound} />
    </Switch>
  );
}
