// Whether the session has ended while the page is open. The session provides a dialog to sign in
// again, and what waits for it continues then.

type Settle = (isRenewed: boolean) => void;

let waiting: Settle[] = [];
let isExpired = false;
const stateListeners = new Set<() => void>();
const renewalListeners = new Set<() => void>();

function setExpired(value: boolean): void {
  if (isExpired === value) return;
  isExpired = value;
  for (const listener of stateListeners) listener();
}

export const reportExpiry = (): void => setExpired(true);

/** Resolves with whether the person has signed in again. */
export function awaitRenewal(): Promise<boolean> {
  setExpired(true);
  return new Promise((settle) => waiting.push(settle));
}

/** The person has signed in again, or does not want to. */
export function endExpiry(isRenewed: boolean): void {
  const settled = waiting;
  waiting = [];
  setExpired(false);
  for (const settle of settled) settle(isRenewed);
  if (isRenewed) for (const listener of renewalListeners) listener();
}

export const sessionExpiry = {
  subscribe(listener: () => void): () => void {
    stateListeners.add(listener);
    return () => stateListeners.delete(listener);
  },
  isExpired: (): boolean => isExpired,
};

/** Calls the listener whenever the person has signed in again. */
export function onRenewal(listener: () => void): () => void {
  renewalListeners.add(listener);
  return () => renewalListeners.delete(listener);
}
