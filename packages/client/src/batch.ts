/** Max calls the server accepts in one batch. */
export const BATCH_MAX = 20

/** Some proxies reject longer URLs. */
export const URL_CHARS_MAX = 4_000

/** Calls that the server refuses in a batch. */
export const ALONE: ReadonlySet<string> = new Set([
  'auth.login',
  'auth.loginWithPasskey',
  'auth.register',
  'auth.forgotPassword',
  'auth.resetPassword',
  'security.changeEmail',
  'security.changePassword',
  'security.changeWallet',
  'security.confirm',
  'security.verifyEmail',
])
