import type { AccountEvent } from '../../../../lib/api/api.ts'

/** An event's sentence, and whether it may be an attack. */
interface EventText {
  readonly sentence: string
  readonly isAlarming?: true
}

type Detail = AccountEvent['detail']

const texts: Readonly<Record<string, (detail: Detail) => EventText>> = {
  registered: () => ({ sentence: 'The account was opened' }),
  signed_in: ({ by }) => ({ sentence: by === undefined ? 'Signed in' : `Signed in with ${by}` }),
  sign_in_refused: ({ wrong }) => ({
    sentence: wrong === 'code' ? 'A sign-in with your password and a wrong code' : 'A sign-in with a wrong password',
    isAlarming: true,
  }),
  signed_out: () => ({ sentence: 'Signed out' }),
  session_ended: () => ({ sentence: 'A session was ended' }),
  logged_out_by_operator: () => ({ sentence: 'Signed out everywhere by the operator' }),
  password_changed: () => ({ sentence: 'The password was changed' }),
  reset_requested: () => ({ sentence: 'A reset code was asked for', isAlarming: true }),
  reset_refused: () => ({ sentence: 'A wrong reset code was tried', isAlarming: true }),
  password_reset: () => ({ sentence: 'A new password was set with a reset code' }),
  email_change_asked: () => ({ sentence: 'Another e-mail address was asked for' }),
  email_changed: () => ({ sentence: 'The e-mail address was changed' }),
  email_verified: () => ({ sentence: 'The e-mail address was verified' }),
  wallet_changed: () => ({ sentence: 'The wallet was changed' }),
  bot_declared: () => ({ sentence: 'The account was declared as a bot' }),
  bot_withdrawn: () => ({ sentence: 'The account is no longer declared as a bot' }),
  key_made: ({ name }) => ({ sentence: `An API key was made: ${name}` }),
  key_revoked: ({ name }) => ({ sentence: `An API key was revoked: ${name}` }),
  webhook_added: ({ host }) => ({ sentence: `A webhook was added: ${host}` }),
  webhook_removed: ({ host }) => ({ sentence: `A webhook was removed: ${host}` }),
  webhook_secret_changed: ({ host }) => ({ sentence: `Webhook secret changed: ${host}` }),
  webhook_stopped: ({ host }) => ({ sentence: `A webhook was given up: ${host}` }),
  totp_enabled: () => ({ sentence: 'An authenticator app was added' }),
  totp_disabled: () => ({ sentence: 'The authenticator app was removed' }),
  passkey_added: ({ name }) => ({ sentence: `A passkey was added: ${name}` }),
  passkey_removed: ({ name }) => ({ sentence: `A passkey was removed: ${name}` }),
  recovery_code_used: ({ left }) => ({ sentence: `A recovery code was used, ${left} are left` }),
  recovery_codes_made: () => ({ sentence: 'New recovery codes were made' }),
  warned: () => ({ sentence: 'The operator warned you' }),
  suspended: () => ({ sentence: 'The operator suspended the account' }),
  unsuspended: () => ({ sentence: 'The operator lifted the suspension' }),
  export_made: () => ({ sentence: 'A copy of your data was requested' }),
  deletion_asked: () => ({ sentence: 'The deletion of the account was asked for' }),
  deletion_undone: () => ({ sentence: 'The account is kept after all' }),
}

/** Formats an event as a sentence; kinds unknown to this build are shown by name. */
export function eventText({ kind, detail, times }: Pick<AccountEvent, 'kind' | 'detail' | 'times'>): EventText {
  const known = Object.hasOwn(texts, kind) ? texts[kind] : undefined
  const text = known?.(detail) ?? { sentence: kind.replaceAll('_', ' ') }
  return times === 1 ? text : { ...text, sentence: `${text.sentence}, ${times} times` }
}
