import { t, withTexts } from '../texts/text.ts';
import { Tabs } from '../ui/page.tsx';

const tabs = [
  { href: '/', label: 'sponsorship.overview' },
  { href: '/campaigns', label: 'sponsorship.campaigns' },
  { href: '/redemptions', label: 'sponsorship.redemptions' },
  { href: '/statements', label: 'statements.statements' },
  { href: '/branding', label: 'branding.branding' },
] as const;

export const SectionTabs = () => (
  <Tabs label={t('sponsorship.sponsorship')} items={withTexts(tabs)} />
);
