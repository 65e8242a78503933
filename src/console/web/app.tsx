import { type ComponentType, lazy, Suspense } from 'react';
import { Provider } from 'urql';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { client } from './graph/client.ts';
import { SessionProvider, useSession } from './session/session.tsx';
import { Boundary } from './ui/boundary.tsx';
import { Loading } from './ui/loading.tsx';
import { ToastProvider } from './ui/toast.tsx';

const section = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) => lazy(async () => ({ default: (await load())[name] }));

const Auth = section('Auth', () => import('./auth/auth.tsx'));
const Home = section('Home', () => import('./home/home.tsx'));
const Assistants = section('Assistants', () => import('./assistants/assistants.tsx'));
const Sponsorship = section('Sponsorship', () => import('./sponsorship/sponsorship.tsx'));
const Vault = section('Vault', () => import('./vault/vault.tsx'));
const Developers = section('Developers', () => import('./developers/developers.tsx'));
const Settings = section('Settings', () => import('./settings/settings.tsx'));

/** The whole console: who asks, then the section that the address names. Each section is loaded when it is first shown. */
export function App() {
  return (
    <Boundary>
      <Provider value={client}>
        <ToastProvider>
          <SessionProvider>
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/auth" nest>
                  <Auth />
                </Route>
                <Route>
                  <SignedIn />
                </Route>
              </Switch>
            </Suspense>
          </SessionProvider>
        </ToastProvider>
      </Provider>
    </Boundary>
  );
}

function SignedIn() {
  const { viewer } = useSession();
  const [path] = useLocation();
  if (!viewer) return <Redirect to={path === '/' ? '/auth' : `/auth?next=${encodeURIComponent(path + location.search)}`} replace />;
  return (
    <Frame>
      <Boundary key={path.split('/')[1]}>
        <Suspense fallback={<Loading lines={6} />}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/assistants" nest component={Assistants} />
            <Route path="/sponsorship" nest component={Sponsorship} />
            <Route path="/vault" nest component={Vault} />
            <Route path="/developers" nest component={Developers} />
            <Route path="/settings" nest component={Settings} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Boundary>
    </Frame>
  );
}
