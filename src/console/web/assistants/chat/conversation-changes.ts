import { useEffect, useRef } from 'react';

// Tells the lists and chats of this tab and of other tabs that a conversation has changed.
const channelName = 'atrium.conversations';
const listeners = new Set<() => void>();

export function announceConversationChange(): void {
  for (const listener of listeners) listener();
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * Calls `onChange` when a conversation has changed in any tab of this browser, and when this tab is
 * shown again, because another device may have changed one meanwhile.
 */
export function useConversationChanges(onChange: () => void): void {
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  });
  useEffect(() => {
    const changed = () => latestOnChange.current();
    const shown = () => {
      if (document.visibilityState === 'visible') changed();
    };
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = changed;
    listeners.add(changed);
    document.addEventListener('visibilitychange', shown);
    return () => {
      channel.close();
      listeners.delete(changed);
      document.removeEventListener('visibilitychange', shown);
    };
  }, []);
}
