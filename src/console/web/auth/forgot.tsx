import { Link, useSearchParams } from 'wouter';
import { useGraphQuery } from '../graph/use-graph.ts';
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
      <PageHead title="Choose a new password" back={{ href: '/', label: 'Sign in' }} />
      <Loaded answer={options}>
        {({ signInOptions: { mail } }) =>
          mail ? (
            <RequestMail
              call="request-password-reset"
              input={{ callbackPath: nextPath(search.get('next')) }}
              email={search.get('email') ?? undefined}
              label="Request a link"
              submit="Send link"
              sent={(email) => (
                <p>
                  If <strong>{email}</strong> has an account, we sent a link to choose a new
                  password. It works once and is valid for one hour.
                </p>
              )}
            >
              <p>We send you a link to choose a new password.</p>
            </RequestMail>
          ) : (
            <Notice>
              <p>
                This server cannot send e-mail, so it cannot send you a link. Ask your administrator
                for help.
              </p>
              <Link href="/">Back to sign-in</Link>
            </Notice>
          )
        }
      </Loaded>
    </>
  );
}
