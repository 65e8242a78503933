import { EmptyState } from '../ui/status.tsx';

export function FilesDisabled() {
  return (
    <EmptyState title="Assistant files are not enabled">
      This feature is disabled for your organization. Ask platform support to enable it.
    </EmptyState>
  );
}
