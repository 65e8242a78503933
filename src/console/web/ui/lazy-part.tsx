import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ApiFault } from '../graph/fault.ts';
import { t } from '../texts/text.ts';
import { isNewRelease } from './new-release.ts';
import { FaultNote, Loading } from './status.tsx';
import { useToast } from './toast.tsx';

type Pending = {
  /** Why it could not be loaded; absent while it is loading. */
  fault: ApiFault | undefined;
  retry: () => void;
};

/**
 * A part of a page whose code is loaded when it is first shown. `renderPending` shows something in
 * its place until it is loaded. What cannot be loaded is requested again when the connection is
 * back; `lazy` of React would keep the failure, and the whole page would fail with it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  renderPending: (pending: Pending, props: Props) => ReactNode,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [fault, setFault] = useState<ApiFault>();
    const retry = useCallback(() => setFault(undefined), []);
    useEffect(() => {
      if (Part || fault) return undefined;
      let isCurrent = true;
      load().then(
        (component) => {
          loaded = component;
          if (isCurrent) setPart(() => component);
        },
        async () => {
          const message = t((await isNewRelease()) ? 'ui.atriumUpdated' : 'ui.unreachable');
          if (isCurrent) setFault({ code: 'UNREACHABLE', message });
        },
      );
      return () => {
        isCurrent = false;
      };
    }, [Part, fault]);
    useEffect(() => {
      if (!fault) return undefined;
      addEventListener('online', retry);
      return () => removeEventListener('online', retry);
    }, [fault, retry]);
    return Part ? <Part {...props} /> : renderPending({ fault, retry }, props);
  };
}

/** In the place of a part: a placeholder, or why it could not be loaded. */
export const pendingPart = ({ fault, retry }: Pending) =>
  fault ? <FaultNote fault={fault} onRetry={retry} /> : <Loading lines={8} />;

/** A dialog that cannot be opened closes with a message, and the page stays as it is. */
export const pendingDialog = ({ fault }: Pending, { onClose }: { onClose: () => void }) =>
  fault && <NotOpened message={fault.message} onClose={onClose} />;

function NotOpened({ message, onClose }: { message: string; onClose: () => void }) {
  const toast = useToast();
  useEffect(() => {
    toast.show(message);
    onClose();
  }, [toast, message, onClose]);
  return null;
}
