import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react';
import {
  carryOrganization,
  chooseOrganization,
  chosenOrganization,
  keepOrganization,
} from '../graph/organization.ts';
import { useGraphQuery } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Shell } from '../ui/shell.tsx';
import { FaultNote } from '../ui/status.tsx';
import { useToast } from '../ui/toast.tsx';
import { useAccountLanguage } from './account-language.ts';
import { callAuth } from './auth-api.ts';
import { SessionDocument, type SessionQuery } from './documents.ts';
import { forgetPerson, useOtherTabs } from './other-tabs.ts';

type SessionViewer = NonNullable<SessionQuery['viewer']>;

/** The person who is signed in. */
export type Viewer = SessionViewer & { person: NonNullable<SessionViewer['person']> };

type SessionState = {
  /** Null when nobody is signed in. */
  viewer: Viewer | null;
  refetch: () => void;
  signOut: () => Promise<void>;
  /**
   * Switches to another organization. The page is loaded again, so that no data of the previous
   * organization remain.
   */
  choose: (organizationId: string | null) => void;
};

const SessionContext = createContext<SessionState | undefined>(undefined);

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is called outside SessionProvider');
  return session;
}

/**
 * The signed-in person, for components inside the frame, which is shown only to signed-in people.
 */
export function useViewer(): Viewer {
  const { viewer } = useSession();
  if (!viewer) throw new Error('useViewer is called outside the frame');
  return viewer;
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, fault, refetch } = useGraphQuery(SessionDocument, {});
  const toast = useToast();

  const choose = useCallback((organizationId: string | null) => {
    chooseOrganization(organizationId);
    location.assign('/');
  }, []);
  const signOut = useCallback(async () => {
    const { fault: signOutFault } = await callAuth('sign-out', {});
    if (signOutFault) return toast.show(t('session.stillSignedIn'));
    forgetPerson();
    location.assign('/auth');
  }, [toast]);

  const sessionViewer = data?.viewer ?? null;
  const viewer = useMemo(
    () => (sessionViewer?.person ? { ...sessionViewer, person: sessionViewer.person } : null),
    [sessionViewer],
  );
  const session = useMemo(
    () => ({ viewer, refetch, signOut, choose }),
    [viewer, refetch, signOut, choose],
  );

  useOtherTabs(viewer?.person.id);
  const organizationId = viewer?.organization?.id;
  useEffect(() => {
    if (organizationId !== undefined) keepOrganization(organizationId);
  }, [organizationId]);
  useEffect(carryOrganization, []);
  const isLanguageChanging = useAccountLanguage(viewer?.person.language);
  // Extends a session that is in use. Once per page load is enough.
  const isSignedIn = viewer !== null;
  useEffect(() => {
    if (isSignedIn) void renewSession();
  }, [isSignedIn]);
  // The person is no longer a member of the chosen organization: fall back to the default one.
  const lostMembership = !data && fault?.code === 'FORBIDDEN' && chosenOrganization() !== null;
  useEffect(() => {
    if (lostMembership) choose(null);
  }, [lostMembership, choose]);

  if (fault && !data) {
    return (
      <main className="alone">
        <FaultNote fault={fault} onRetry={refetch} />
      </main>
    );
  }
  if (!data || isLanguageChanging) return <Shell />;
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/**
 * When the renewal fails, the session keeps its current expiry. The body must be read: an unread
 * response counts as still loading.
 */
const renewSession = () =>
  fetch('/auth/get-session').then(
    (answer) => answer.text(),
    () => undefined,
  );
