/** The most calls that the server takes in one batch. */
export const BATCH_MAX = 20

/** Longer addresses are cut by some proxies. */
export const URL_CHARS_MAX = 4_000

/** Calls that travel by themselves, since the server refuses them in a batch. */
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
