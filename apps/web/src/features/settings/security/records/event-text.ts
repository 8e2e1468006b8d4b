import type { AccountEvent } from '../../../../lib/api/api.ts'

/** A sentence that describes an event, and whether the event may be an attack. */
interface EventText {
  readonly sentence: string
  readonly isAlarming?: true
}

type Detail = AccountEvent['detail']

const texts: Readonly<Record<string, (detail: Detail) => EventText>> = {
  registered: () => ({ sentence: 'Account created' }),
  signed_in: ({ by }) => ({ sentence: by === undefined ? 'Logged in' : `Logged in with ${by}` }),
  sign_in_refused: ({ wrong }) => ({
    sentence:
      wrong === 'code'
        ? 'Login attempt with the right password and a wrong code'
        : 'Login attempt with a wrong password',
    isAlarming: true,
  }),
  signed_out: () => ({ sentence: 'Logged out' }),
  session_ended: () => ({ sentence: 'Session ended' }),
  logged_out_by_operator: () => ({ sentence: 'The operator logged you out everywhere' }),
  password_changed: () => ({ sentence: 'Password changed' }),
  reset_requested: () => ({ sentence: 'Reset code requested', isAlarming: true }),
  reset_refused: () => ({ sentence: 'Wrong reset code entered', isAlarming: true }),
  password_reset: () => ({ sentence: 'Password reset with a code' }),
  email_change_asked: () => ({ sentence: 'Email change requested' }),
  email_changed: () => ({ sentence: 'Email changed' }),
  email_verified: () => ({ sentence: 'Email verified' }),
  wallet_changed: () => ({ sentence: 'Wallet changed' }),
  bot_declared: () => ({ sentence: 'Account marked as a bot' }),
  bot_withdrawn: () => ({ sentence: 'Account no longer marked as a bot' }),
  key_made: ({ name }) => ({ sentence: `API key created: ${name}` }),
  key_revoked: ({ name }) => ({ sentence: `API key revoked: ${name}` }),
  webhook_added: ({ host }) => ({ sentence: `Webhook added: ${host}` }),
  webhook_removed: ({ host }) => ({ sentence: `Webhook removed: ${host}` }),
  webhook_secret_changed: ({ host }) => ({ sentence: `Webhook secret changed: ${host}` }),
  webhook_stopped: ({ host }) => ({ sentence: `Webhook stopped after failures: ${host}` }),
  totp_enabled: () => ({ sentence: 'Authenticator app added' }),
  totp_disabled: () => ({ sentence: 'Authenticator app removed' }),
  passkey_added: ({ name }) => ({ sentence: `Passkey added: ${name}` }),
  passkey_removed: ({ name }) => ({ sentence: `Passkey removed: ${name}` }),
  recovery_code_used: ({ left }) => ({ sentence: `Recovery code used, ${left} left` }),
  recovery_codes_made: () => ({ sentence: 'New recovery codes created' }),
  warned: () => ({ sentence: 'The operator warned you' }),
  suspended: () => ({ sentence: 'The operator suspended your account' }),
  unsuspended: () => ({ sentence: 'The operator lifted the suspension' }),
  export_made: () => ({ sentence: 'Copy of your data requested' }),
  deletion_asked: () => ({ sentence: 'Account deletion requested' }),
  deletion_undone: () => ({ sentence: 'Account deletion cancelled' }),
}

/** Formats an event as a sentence. For an unknown kind, returns the kind's name. */
export function eventText({ kind, detail, times }: Pick<AccountEvent, 'kind' | 'detail' | 'times'>): EventText {
  const known = Object.hasOwn(texts, kind) ? texts[kind] : undefined
  const text = known?.(detail) ?? { sentence: kind.replaceAll('_', ' ') }
  return times === 1 ? text : { ...text, sentence: `${text.sentence}, ${times} times` }
}
