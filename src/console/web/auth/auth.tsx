import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useSearchParams } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import './auth.css';
import { Forgot } from './forgot.tsx';
import { Invitation } from './invitation/invitation.tsx';
import { Membership } from './membership/membership.tsx';
import { Reset } from './reset.tsx';
import { SecondStep } from './second-step.tsx';
import { cameForSecondStep, secondStepPath } from './second-step-path.ts';
import { SignIn } from './sign-in.tsx';
import { Sponsored } from './sponsored/sponsored.tsx';
import { Verify } from './verify.tsx';

const icon = new URL('../icon.svg', import.meta.url).href;

/** Where people come in: by themselves, by a sponsored link, or by a link in a mail. */
export function Auth() {
  return (
    <div className="auth">
      <p className="auth-brand">
        <img src={icon} alt="" width="32" height="32" />
        Atrium
      </p>
      <main className="auth-main">
        <Switch>
          <Route path="/forgot" component={Forgot} />
          <Route path="/reset" component={Reset} />
          <Route path="/verify" component={Verify} />
          <Route path="/membership" component={Membership} />
          <Route path="/second-factor" component={SecondStep} />
          <Route path="/" component={Door} />
          <Route component={NotFound} />
        </Switch>
      </main>
    </div>
  );
}

function Door(): ReactNode {
  const [search] = useSearchParams();
  const sponsored = search.get('sponsored');
  const invitation = search.get('invitation');
  // A sign-in with another site leads back here, also where only its first step is done.
  if (cameForSecondStep(search))
    return <Redirect to={`~${secondStepPath(nextOf(search))}`} replace />;
  if (sponsored !== null) return <Sponsored token={sponsored} />;
  return invitation === null ? <SignIn /> : <Invitation token={invitation} />;
}

/**
 * The page that the person wanted: named by `next`, or this one, where a sponsored link or an
 * invitation goes on.
 */
function nextOf(search: URLSearchParams): string {
  const own = new URLSearchParams(
    [...search].filter(([name]) => name === 'sponsored' || name === 'invitation'),
  );
  return search.get('next') ?? (own.size > 0 ? `/auth?${own}` : '/');
}
