import { useEffect } from 'react';
import { chooseOrganization } from '../graph/organization.ts';
import { endExpiry, sessionExpiry } from '../graph/session-expiry.ts';

// All tabs of a browser share one session, and each tells the others who is signed in.
const channelName = 'atrium.session';
// A channel also receives the messages of other channels in the same page.
let hasSignedOut = false;

/** After a sign-out: forgets what the browser stores for the person, and tells the other tabs. */
export function forgetPerson(): void {
  chooseOrganization(null);
  sessionStorage.clear();
  // GraphiQL stores the queries and variables of its tabs.
  for (const name of Object.keys(localStorage))
    if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  hasSignedOut = true;
  announce(null);
}

/**
 * Leaves the page when the person signs out in another tab, or somebody else signs in there: this
 * page would show the data of one person and act as another. `personId` is who is signed in here.
 */
export function useOtherTabs(personId: string | undefined): void {
  useEffect(() => {
    if (personId === undefined) return undefined;
    announce(personId);
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data }) => {
      if (hasSignedOut) return;
      if (data !== personId) leavePage(data === null ? '/auth' : '/');
      // The person has signed in again in another tab.
      else if (sessionExpiry.isExpired()) endExpiry(true);
    };
    return () => channel.close();
  }, [personId]);
}

/** The id of the person who is signed in now; null: nobody. */
function announce(personId: string | null): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(personId);
  channel.close();
}

function leavePage(path: string): void {
  sessionStorage.clear();
  document.documentElement.hidden = true;
  // Pages without a session stay: their address says which link or invitation they are about.
  if (location.pathname.startsWith('/auth')) location.reload();
  else location.replace(path);
}
