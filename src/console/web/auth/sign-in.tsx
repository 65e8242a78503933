import { useState } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { useAnswer } from '../graph/use-answer.ts';
import { useSession } from '../session/session.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SignInForm, SignUpForm } from './credentials.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { nextPath } from './next-path.ts';

/** Sign-in and sign-up beside each other; both lead to the page that was wanted. */
export function SignIn() {
  const { viewer } = useSession();
  const [search] = useSearchParams();
  const [email, setEmail] = useState(search.get('email') ?? undefined);
  const options = useAnswer(SignInOptionsDocument, {}).data?.signInOptions;
  const next = nextPath(search.get('next'));
  const isNew = search.has('new') && options?.signUp !== 'BY_LINK';
  if (viewer) return <Redirect to={`~${next}`} replace />;

  const wanted = next === '/' ? '' : `next=${encodeURIComponent(next)}`;
  const form = { email, next, onEmail: setEmail, onDone: () => location.replace(next) };
  return (
    <>
      <PageHead key={String(isNew)} title={isNew ? 'Create an account' : 'Sign in'} />
      {options?.signUp !== 'BY_LINK' && (
        <nav className="tabs" aria-label="Have you been here before?">
          <Link href={`/?${wanted}`} aria-current={isNew ? undefined : 'page'}>
            Sign in
          </Link>
          <Link href={`/?new&${wanted}`} aria-current={isNew ? 'page' : undefined}>
            Create an account
          </Link>
        </nav>
      )}
      {isNew ? <SignUpForm {...form} /> : <SignInForm {...form} />}
      {options?.signUp === 'BY_LINK' && (
        <p className="quiet">
          Accounts are made by invitation here. Your administrator can send you one.
        </p>
      )}
    </>
  );
}
