import { PageHead } from '../ui/page-head.tsx';

export function Home() {
  return <PageHead title="Home" />;
}
