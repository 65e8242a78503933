import { Tabs } from '../ui/page.tsx';

const tabs = [
  { href: '/', label: 'Overview' },
  { href: '/campaigns', label: 'Campaigns' },
  { href: '/redemptions', label: 'Redemptions' },
];

export const SectionTabs = () => <Tabs label="Sponsorship" items={tabs} />;
