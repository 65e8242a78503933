import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

type ToastMessage = { id: number; text: string };
type Toasts = {
  show: (text: string) => void;
  /** Removes the message, because another action has begun. */
  clear: () => void;
};

const ToastContext = createContext<Toasts>({ show: () => {}, clear: () => {} });
const visibleMs = 5_000;

/**
 * Shows a short message that an action succeeded. Errors are shown next to the action that failed
 * instead.
 */
export const useToast = () => useContext(ToastContext);

/** Shows one message at a time, the newest one: messages that pile up would cover the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [message, setMessage] = useState<ToastMessage>();
  const toasts = useMemo<Toasts>(
    () => ({
      show: (text) => setMessage((previous) => ({ id: (previous?.id ?? 0) + 1, text })),
      clear: () => setMessage(undefined),
    }),
    [],
  );
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(toasts.clear, visibleMs);
    return () => clearTimeout(timer);
  }, [message, toasts]);
  return (
    <ToastContext value={toasts}>
      {children}
      <div className="toasts" role="status">
        {message && (
          <p key={message.id} className="toast">
            {message.text}
          </p>
        )}
      </div>
    </ToastContext>
  );
}
