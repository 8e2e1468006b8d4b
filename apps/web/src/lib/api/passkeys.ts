import type { AppInputs, AppOutputs } from '@papermoon/api/router'
import { loadLate } from '../boot/lazy-import.ts'

type CreateOptions = AppOutputs['passkeys']['beginAdd']
type NewCredential = AppInputs['passkeys']['add']['credential']
type SignOptions = AppOutputs['auth']['beginPasskeyLogin']
type Credential = AppInputs['auth']['loginWithPasskey']['credential']

/** The browser, or the player at its dialog, did not make or use a passkey; the message is for the player. */
export class PasskeyDialogError extends Error {}

/** Whether this browser can use passkeys at this address: over https or at localhost, and never at a bare IP address. */
export function canUsePasskeys(): boolean {
  if (!isSecureContext || typeof PublicKeyCredential !== 'function') return false
  const { hostname } = location
  return !/^[\d.]+$/.test(hostname) && !hostname.startsWith('[')
}

/** Has the browser make a passkey. Throws `PasskeyDialogError`. */
export async function createPasskey(options: CreateOptions): Promise<NewCredential> {
  const { startRegistration } = await loadWebAuthn()
  const credential = await startRegistration({ optionsJSON: options }).catch(throwPlainly)
  return { ...credential, clientExtensionResults: {} }
}

/** Has the browser sign with a passkey. Throws `PasskeyDialogError`. */
export async function signWithPasskey(options: SignOptions): Promise<Credential> {
  const { startAuthentication } = await loadWebAuthn()
  const credential = await startAuthentication({ optionsJSON: options }).catch(throwPlainly)
  return { ...credential, clientExtensionResults: {} }
}

/** Only who uses a passkey needs it. */
function loadWebAuthn() {
  return loadLate(() => import('@simplewebauthn/browser'))
}

/** Browsers do not say whether there was no passkey, or the player closed the dialog: sites are not to know. */
function throwPlainly(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const name = cause instanceof Error ? cause.name : ''
  throw new PasskeyDialogError(SENTENCES[name] ?? 'This browser could not use a passkey.', { cause: error })
}

const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the dialog was closed, took too long, or found none for this site.',
  AbortError: 'No passkey was used: the dialog was closed.',
  InvalidStateError: 'This device has a passkey of your account already.',
  ConstraintError: 'This device cannot keep passkeys. Please try another one, such as your phone.',
  NotSupportedError: 'This device cannot make such a passkey. Please try another one, such as your phone.',
  SecurityError: 'Passkeys do not work at this address.',
}
