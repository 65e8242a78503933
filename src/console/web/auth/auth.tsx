import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useSearchParams } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { LanguageChoice } from '../session/language-choice.tsx';
import { isSecondStepMissing, secondStepPath } from '../session/second-step-path.ts';
import { Forgot } from './forgot.tsx';
import { Invitation } from './invitation/invitation.tsx';
import { Membership } from './membership/membership.tsx';
import { Reset } from './reset.tsx';
import { SecondStep } from './second-step.tsx';
import { Setup } from './setup.tsx';
import { ShortLinkRefused } from './short-link-refused.tsx';
import { SignIn } from './sign-in.tsx';
import { Sponsored } from './sponsored/sponsored.tsx';
import { Verify } from './verify.tsx';
import './auth.css';

const icon = new URL('../icon.svg', import.meta.url).href;

/**
 * The pages for people who are not signed in: sign-in, sign-up, sponsored links, invitations and
 * links from e-mails; the first set-up; and short addresses that were opened too often.
 */
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
          <Route path="/setup/*?" component={Setup} />
          <Route path="/s/*?" component={ShortLinkRefused} />
          <Route path="/" component={AuthStart} />
          <Route component={NotFound} />
        </Switch>
      </main>
      <footer className="auth-foot">
        <LanguageChoice />
      </footer>
    </div>
  );
}

function AuthStart(): ReactNode {
  const [search] = useSearchParams();
  const sponsored = search.get('sponsored');
  const invitation = search.get('invitation');
  // A sign-in with another site returns here, also when the second factor is still missing.
  if (isSecondStepMissing(search))
    return <Redirect to={`~${secondStepPath(pathAfterSignIn(search))}`} replace />;
  if (sponsored !== null) return <Sponsored token={sponsored} />;
  return invitation === null ? <SignIn /> : <Invitation token={invitation} />;
}

/**
 * The page to open after sign-in: the one that `next` names, or this page when it belongs to a
 * sponsored link or an invitation.
 */
function pathAfterSignIn(search: URLSearchParams): string {
  const linkParameters = new URLSearchParams(
    [...search].filter(([name]) => name === 'sponsored' || name === 'invitation'),
  );
  return search.get('next') ?? (linkParameters.size > 0 ? `/auth?${linkParameters}` : '/');
}
