import type { Fault } from '../graph/fault.ts';
import { Button } from './button.tsx';

export function FaultNote({ fault, onRetry }: { fault: Fault; onRetry?: () => void }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p>{fault.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
