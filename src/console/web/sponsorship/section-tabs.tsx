import { Tabs } from '../ui/tabs.tsx';

const items = [
  { href: '/', label: 'Overview' },
  { href: '/campaigns', label: 'Campaigns' },
  { href: '/redemptions', label: 'Redemptions' },
];

export function SectionTabs() {
  return <Tabs label="Sponsorship" items={items} />;
}
