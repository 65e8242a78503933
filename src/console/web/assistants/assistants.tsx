import { PageHead } from '../ui/page-head.tsx';

export function Assistants() {
  return <PageHead title="Assistants" />;
}
