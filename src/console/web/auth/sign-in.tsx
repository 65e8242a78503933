import { useState } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { PageHead } from '../ui/page.tsx';
import { SignInForm, SignUpForm } from './credentials.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { nextPath } from './next-path.ts';

/** Sign-in and sign-up as two tabs. Both open the requested page afterwards. */
export function SignIn() {
  const { viewer } = useSession();
  const [search] = useSearchParams();
  const [email, setEmail] = useState(search.get('email') ?? undefined);
  const options = useGraphQuery(SignInOptionsDocument, {}).data?.signInOptions;
  const next = nextPath(search.get('next'));
  const isNew = search.has('new') && options?.signUp !== 'BY_LINK';
  if (viewer) return <Redirect to={`~${next}`} replace />;

  const nextParameter = next === '/' ? '' : `next=${encodeURIComponent(next)}`;
  const form = { email, next, onEmail: setEmail, onDone: () => location.replace(next) };
  return (
    <>
      <PageHead key={String(isNew)} title={isNew ? t('auth.createAccount') : t('auth.signIn')} />
      {options?.signUp !== 'BY_LINK' && (
        <nav className="tabs" aria-label={t('auth.account')}>
          <Link href={`/?${nextParameter}`} aria-current={isNew ? undefined : 'page'}>
            {t('auth.signIn')}
          </Link>
          <Link href={`/?new&${nextParameter}`} aria-current={isNew ? 'page' : undefined}>
            {t('auth.createAccount')}
          </Link>
        </nav>
      )}
      {isNew ? <SignUpForm {...form} /> : <SignInForm {...form} />}
      {options?.signUp === 'BY_LINK' && <p className="quiet">{t('auth.invitationNeeded')}</p>}
    </>
  );
}
