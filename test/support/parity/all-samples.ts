import { assistantSamples, sessionSamples } from './assistants.ts';
import { auditSamples } from './audit.ts';
import { conversationSamples } from './conversations.ts';
import { eventSamples } from './events.ts';
import { runSamples } from './runs.ts';
import type { Sample } from './samples.ts';
import { sponsorshipSamples } from './sponsorship.ts';
import { usageSamples } from './usage.ts';
import { userManagementSamples } from './user-management.ts';

/** A sample of every call, and of each error that a call shares with GraphQL. */
export const samples: readonly Sample[] = [
  ...userManagementSamples,
  ...sponsorshipSamples,
  ...usageSamples,
  ...auditSamples,
  ...eventSamples,
  ...assistantSamples,
  ...runSamples,
  ...conversationSamples,
  ...sessionSamples,
];

export const samplesOf = ({ name }: { name: string }): readonly Sample[] =>
  samples.filter(({ call }) => call === name);
