import { PageHead } from '../ui/page-head.tsx';

export function Settings() {
  return <PageHead title="Settings" />;
}
