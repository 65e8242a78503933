import { PageHead } from '../ui/page-head.tsx';

export function Sponsorship() {
  return <PageHead title="Sponsorship" />;
}
