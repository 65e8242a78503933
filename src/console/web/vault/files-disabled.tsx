import { EmptyState } from '../ui/empty-state.tsx';

export function FilesDisabled() {
  return (
    <EmptyState title="Assistant Files is not enabled for this organization">
      Assistants answer without files until platform support switches it on.
    </EmptyState>
  );
}
