import { PageHead } from '../ui/page-head.tsx';

export function Auth() {
  return <PageHead title="Auth" />;
}
