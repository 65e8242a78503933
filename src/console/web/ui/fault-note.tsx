import type { ApiFault } from '../graph/fault.ts';
import { Button } from './button.tsx';

export function FaultNote({ fault, onRetry }: { fault: ApiFault; onRetry?: () => void }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p>{fault.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
