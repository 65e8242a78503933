import { PageHead } from '../ui/page-head.tsx';

export function Vault() {
  return <PageHead title="Vault" />;
}
