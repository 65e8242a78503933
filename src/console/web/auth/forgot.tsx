import { Link, useSearchParams } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
import { richText, t } from '../texts/text.ts';
import { PageHead } from '../ui/page.tsx';
import { Loaded, Notice } from '../ui/status.tsx';
import { SignInOptionsDocument } from './documents.ts';
import { nextPath } from './next-path.ts';
import { RequestMail } from './request-mail.tsx';

/** For people who forgot their password or never had one. */
export function Forgot() {
  const [search] = useSearchParams();
  const options = useGraphQuery(SignInOptionsDocument, {});
  return (
    <>
      <PageHead title={t('auth.chooseNewPassword')} back={{ href: '/', label: t('auth.signIn') }} />
      <Loaded answer={options}>
        {({ signInOptions: { mail } }) =>
          mail ? (
            <RequestMail
              call="request-password-reset"
              input={{ callbackPath: nextPath(search.get('next')) }}
              email={search.get('email') ?? undefined}
              label={t('auth.requestLink')}
              submit={t('auth.sendLink')}
              sent={(email) => (
                <p>{richText('auth.resetSent', { email, b: (text) => <strong>{text}</strong> })}</p>
              )}
            >
              <p>{t('auth.resetHint')}</p>
            </RequestMail>
          ) : (
            <Notice>
              <p>{t('auth.noMailForReset')}</p>
              <Link href="/">{t('auth.backToSignIn')}</Link>
            </Notice>
          )
        }
      </Loaded>
    </>
  );
}
