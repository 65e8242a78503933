import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Toast = { id: number; text: string };

const ToastContext = createContext<(text: string) => void>(() => {});
const lifeMs = 5_000;
let told = 0;

/** Says in passing that something was done. What went wrong stays where it went wrong instead. */
export const useToast = () => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const toast = useCallback((text: string) => {
    told += 1;
    const id = told;
    setToasts((shown) => [...shown, { id, text }]);
    setTimeout(() => setToasts((shown) => shown.filter((one) => one.id !== id)), lifeMs);
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
