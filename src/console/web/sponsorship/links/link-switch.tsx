import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { UpdateLinkDocument } from '../documents.ts';
import type { LinkRow } from './links-card.tsx';

/**
 * Switches a link off or on. It shows at once as it was wanted, and goes back where that was
 * refused.
 */
export function LinkSwitch({ link: { id, name, isActive } }: { link: LinkRow }) {
  const [wanted, setWanted] = useState<boolean>();
  const { run, fault } = useGraphMutation(UpdateLinkDocument);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the graph tells anew is how it is
  useEffect(() => setWanted(undefined), [isActive]);
  const isOn = wanted ?? isActive;
  const turn = async () => {
    setWanted(!isOn);
    if (!(await run({ linkId: id, isActive: !isOn }))) setWanted(undefined);
  };
  return (
    <div className="sponsorship-switch">
      <Badge tone={isOn ? 'good' : 'bad'}>{isOn ? 'On' : 'Off'}</Badge>
      <Button kind="quiet" onClick={turn}>
        {isOn ? 'Switch off' : 'Switch on'}
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
