import type { Fault } from '../graph/fault.ts';
import { Button } from './button.tsx';

export function FaultNote({ fault, again }: { fault: Fault; again?: () => void }) {
  return (
    <div className="notice notice-bad" role="alert">
      <p>{fault.message}</p>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}
