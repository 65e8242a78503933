import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react';
import { chooseOrganization, chosenOrganization } from '../graph/organization.ts';
import { useAnswer } from '../graph/use-answer.ts';
import { FaultNote } from '../ui/fault-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { useToast } from '../ui/toast.tsx';
import { SessionDocument, type SessionQuery } from './documents.ts';

type Seen = NonNullable<SessionQuery['viewer']>;

/** Somebody who is signed in. */
export type Viewer = Seen & { person: NonNullable<Seen['person']> };

type Session = {
  /** Null for nobody. */
  viewer: Viewer | null;
  again: () => void;
  signOut: () => Promise<void>;
  /**
   * From now on the console asks in this organization; the page is loaded anew, so that nothing of
   * another one stays.
   */
  choose: (organizationId: string | null) => void;
};

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession stands outside SessionProvider');
  return session;
}

/** The session of somebody who is signed in for sure: everything inside the frame. */
export function useViewer(): Viewer {
  const { viewer } = useSession();
  if (!viewer) throw new Error('useViewer stands outside the frame');
  return viewer;
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, fault, again } = useAnswer(SessionDocument, {});
  const toast = useToast();

  const choose = useCallback((organizationId: string | null) => {
    chooseOrganization(organizationId);
    location.assign('/');
  }, []);
  const signOut = useCallback(async () => {
    const isOut = await fetch('/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isOut) return toast('You are still signed in: Atrium can not be reached.');
    forgetPage();
    location.assign('/auth');
  }, [toast]);

  const seen = data?.viewer ?? null;
  const viewer = useMemo(() => (seen?.person ? { ...seen, person: seen.person } : null), [seen]);
  const session = useMemo(
    () => ({ viewer, again, signOut, choose }),
    [viewer, again, signOut, choose],
  );

  // A session in use gets new time; once for each load of the page is often enough.
  const isSignedIn = viewer !== null;
  useEffect(() => {
    if (isSignedIn) void renewSession();
  }, [isSignedIn]);
  // Somebody who lost their place in the chosen organization still has their account.
  const lostTheirPlace = !data && fault?.code === 'FORBIDDEN' && chosenOrganization() !== null;
  useEffect(() => {
    if (lostTheirPlace) choose(null);
  }, [lostTheirPlace, choose]);

  if (fault && !data) {
    return (
      <main className="alone">
        <FaultNote fault={fault} again={again} />
      </main>
    );
  }
  if (!data) return <Loading />;
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/**
 * Where it fails, the session has the time that it had. An answer that nobody reads would count as
 * one that is still loading.
 */
const renewSession = () =>
  fetch('/auth/get-session').then(
    (answer) => answer.text(),
    () => undefined,
  );

function forgetPage(): void {
  chooseOrganization(null);
  sessionStorage.clear();
}
