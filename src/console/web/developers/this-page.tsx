import { Dialog } from '../ui/dialog.tsx';

export function ThisPage({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="This page for programs" open={open} onClose={onClose}>
      <p />
    </Dialog>
  );
}
