import { assistantSamples, sessionSamples } from './assistants.ts';
import type { Sample } from './samples.ts';
import { sponsorshipSamples } from './sponsorship.ts';
import { userManagementSamples } from './user-management.ts';

/** A sample of every call, and of each error that a call shares with GraphQL. */
export const samples: readonly Sample[] = [
  ...userManagementSamples,
  ...sponsorshipSamples,
  ...assistantSamples,
  ...sessionSamples,
];

export const samplesOf = ({ name }: { name: string }): readonly Sample[] =>
  samples.filter(({ call }) => call === name);
