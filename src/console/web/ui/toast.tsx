import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type ToastMessage = { id: number; text: string };

const ToastContext = createContext<(text: string) => void>(() => {});
const visibleMs = 5_000;
let lastId = 0;

/**
 * Shows a short message that an action succeeded. Errors are shown next to the action that failed
 * instead.
 */
export const useToast = () => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ToastMessage[]>([]);
  const toast = useCallback((text: string) => {
    lastId += 1;
    const id = lastId;
    setToasts((shown) => [...shown, { id, text }]);
    setTimeout(() => setToasts((shown) => shown.filter((message) => message.id !== id)), visibleMs);
  }, []);
  return (
    <ToastContext value={toast}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <p key={id} className="toast">
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}
