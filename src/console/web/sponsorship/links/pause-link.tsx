import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { UpdateLinkDocument } from '../documents.ts';
import type { LinkRow } from './link-row.ts';

/**
 * Pauses or resumes a link. The new state is shown at once, and reverted when the API rejects the
 * change.
 */
export function PauseLink({ link: { id, name, isActive } }: { link: LinkRow }) {
  const [requestedState, setRequestedState] = useState<boolean>();
  const { run, fault } = useGraphMutation(UpdateLinkDocument);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a state fetched from the API replaces the requested one
  useEffect(() => setRequestedState(undefined), [isActive]);
  const isShownActive = requestedState ?? isActive;
  const toggle = async () => {
    setRequestedState(!isShownActive);
    if (!(await run({ linkId: id, isActive: !isShownActive }))) setRequestedState(undefined);
  };
  return (
    <div className="sponsorship-switch">
      <Badge tone={isShownActive ? 'good' : 'bad'}>{isShownActive ? 'Active' : 'Paused'}</Badge>
      <Button kind="quiet" onClick={toggle}>
        {isShownActive ? 'Pause' : 'Resume'}
        <span className="sr-only"> {name}</span>
      </Button>
      {fault && (
        <span className="fault" role="alert">
          {fault.message}
        </span>
      )}
    </div>
  );
}
