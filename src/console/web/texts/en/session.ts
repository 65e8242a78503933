export const session = {
  confirmYourPassword: 'Confirm your password',
  confirm: 'Confirm',
  signOut: 'Sign out',
  signInTooOld:
    'Your sign-in is more than ten minutes old. Enter your password to continue. If you have no password, sign out and sign in again.',
  signInAgain: 'Sign in again',
  signIn: 'Sign in',
  signInAnotherWay: 'Sign in another way',
  sessionEnded: 'Your session has ended. Sign in to go on where you are.',
  emailAddress: 'E-mail address',
  password: 'Password',
  capsLock: 'Caps Lock is on.',
  lengthAtLeast: 'At least {lengthMin} characters. A sentence is easy to remember.',
  lengthMissing: '{missing} more needed: a password has at least {lengthMin} characters.',
  lengthAtMost: 'A password has at most {lengthMax} characters.',
  lengthEnough: 'Long enough. A few words of your own are hard to guess.',
  stillSignedIn: 'You are still signed in, because Atrium cannot be reached. Try again.',
} as const;
