import { builder } from '../../../graph/schema/builder.ts';
import { RunState } from '../../../platform/database/generated/client.ts';

builder.enumType(RunState, {
  name: 'RunState',
  description: 'How far a run is.',
  values: {
    QUEUED: { description: 'The run waits until a process executes it.' },
    RUNNING: { description: 'A process executes the run.' },
    COMPLETED: { description: 'The run has a result.' },
    FAILED: { description: 'The run has an error.' },
    CANCELLED: { description: 'The caller has cancelled the run.' },
    EXPIRED: { description: 'The run could not be executed in time.' },
  },
});

export { RunState };
