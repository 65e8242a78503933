import { PageHead } from '../ui/page-head.tsx';

export function Developers() {
  return <PageHead title="Developers" />;
}
