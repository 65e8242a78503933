import type { EventNotices } from './event-notices.ts';

/** What requests need of the event feed of the process. */
export type EventServices = { notices: EventNotices };

declare module '../../access/context.ts' {
  interface Services {
    events: EventServices;
  }
}
