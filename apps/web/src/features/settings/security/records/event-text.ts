import type { AccountEvent } from '../../../../lib/api/api.ts'

/** The sentence about an event of each kind, or a function that creates the sentence from the event's details. */
const SENTENCES: Readonly<Record<string, string | ((detail: AccountEvent['detail']) => string)>> = {
  registered: 'Account created',
  signed_in: ({ by }) => (by === undefined ? 'Logged in' : `Logged in with ${by}`),
  sign_in_refused: ({ wrong }) =>
    wrong === 'code' ? 'Login attempt with the right password and a wrong code' : 'Login attempt with a wrong password',
  signed_out: 'Logged out',
  session_ended: 'Session ended',
  logged_out_by_operator: 'The operator logged you out everywhere',
  password_changed: 'Password changed',
  reset_requested: 'Reset code requested',
  reset_refused: 'Wrong reset code entered',
  password_reset: 'Password reset with a code',
  email_change_asked: 'Email change requested',
  email_changed: 'Email changed',
  email_verified: 'Email verified',
  wallet_changed: 'Wallet changed',
  bot_declared: 'Account marked as a bot',
  bot_withdrawn: 'Account no longer marked as a bot',
  key_made: ({ name }) => `API key created: ${name}`,
  key_revoked: ({ name }) => `API key revoked: ${name}`,
  webhook_added: ({ host }) => `Webhook added: ${host}`,
  webhook_removed: ({ host }) => `Webhook removed: ${host}`,
  webhook_secret_changed: ({ host }) => `Webhook secret changed: ${host}`,
  webhook_stopped: ({ host }) => `Webhook stopped after failures: ${host}`,
  totp_enabled: 'Authenticator app added',
  totp_disabled: 'Authenticator app removed',
  passkey_added: ({ name }) => `Passkey added: ${name}`,
  passkey_removed: ({ name }) => `Passkey removed: ${name}`,
  recovery_code_used: ({ left }) => `Recovery code used, ${left} left`,
  recovery_codes_made: 'New recovery codes created',
  warned: 'The operator warned you',
  suspended: 'The operator suspended your account',
  unsuspended: 'The operator lifted the suspension',
  export_made: 'Copy of your data requested',
  deletion_asked: 'Account deletion requested',
  deletion_undone: 'Account deletion cancelled',
}

/** The kinds of events that may be attacks. */
const ALARMING: ReadonlySet<string> = new Set(['sign_in_refused', 'reset_requested', 'reset_refused'])

/** Formats an event as a sentence. For an unknown kind, returns the kind's name. */
export function eventText({ kind, detail, times }: Pick<AccountEvent, 'kind' | 'detail' | 'times'>) {
  const text = Object.hasOwn(SENTENCES, kind) ? SENTENCES[kind] : undefined
  const sentence = (typeof text === 'function' ? text(detail) : text) ?? kind.replaceAll('_', ' ')
  return { sentence: times === 1 ? sentence : `${sentence}, ${times} times`, isAlarming: ALARMING.has(kind) }
}
