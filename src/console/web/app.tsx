import { memo, Suspense } from 'react';
import { Provider } from 'urql';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { client } from './graph/client.ts';
import { preload, preloadWhenIdle, sections } from './sections.tsx';
import { ConfirmPassword } from './session/confirm-password.tsx';
import { ExpiredSession } from './session/expired-session.tsx';
import { SessionProvider, useSession } from './session/session.tsx';
import { ShownLocation } from './shown-location.tsx';
import { Boundary } from './ui/boundary.tsx';
import { Loading } from './ui/status.tsx';
import { ToastProvider } from './ui/toast.tsx';

const {
  auth,
  '': home,
  assistants,
  conversations,
  sponsorship,
  vault,
  developers,
  notifications,
  settings,
} = sections;

/**
 * The console: loads the session, then shows the section that the path names. A section's code is
 * loaded when the section is first shown.
 */
export function App() {
  return (
    <Boundary>
      <Provider value={client}>
        <ToastProvider>
          <SessionProvider>
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/auth" nest component={auth.Page} />
                <Route path="/setup/*?" component={auth.Page} />
                <Route path="/s/*?" component={auth.Page} />
                {/* Not in a route, whose parameters every route inside of it would follow. */}
                <ConfirmPassword>
                  <SignedInRoutes />
                </ConfirmPassword>
              </Switch>
            </Suspense>
          </SessionProvider>
        </ToastProvider>
      </Provider>
    </Boundary>
  );
}

function SignedInRoutes() {
  const { viewer } = useSession();
  const [path] = useLocation();
  if (!viewer)
    return (
      <Redirect
        to={path === '/' ? '/auth' : `/auth?next=${encodeURIComponent(path + location.search)}`}
        replace
      />
    );
  // When a second factor is required and not set up yet, the API answers only requests about the
  // person's own account, so the settings are the only useful page.
  if (viewer.lacksSecondFactor && !path.startsWith('/settings'))
    return <Redirect to="/settings/security" replace />;
  return (
    <Frame preload={preload} preloadWhenIdle={preloadWhenIdle}>
      <ExpiredSession />
      <ShownLocation>
        <Sections />
      </ShownLocation>
    </Frame>
  );
}

/** Memoized, so that a click on a link renders the next section in the background only. */
const Sections = memo(function Sections() {
  const [path] = useLocation();
  return (
    <Boundary key={path.split('/')[1]}>
      <Suspense fallback={<Loading lines={6} />}>
        <Switch>
          <Route path="/" component={home.Page} />
          <Route path="/assistants" nest component={assistants.Page} />
          <Route path="/conversations" nest component={conversations.Page} />
          <Route path="/sponsorship" nest component={sponsorship.Page} />
          <Route path="/vault" nest component={vault.Page} />
          <Route path="/developers" nest component={developers.Page} />
          <Route path="/notifications" nest component={notifications.Page} />
          <Route path="/settings" nest component={settings.Page} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Boundary>
  );
});
