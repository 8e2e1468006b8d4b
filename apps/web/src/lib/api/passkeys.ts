import type { AppInputs, AppOutputs } from '@papermoon/contract/router'
import { lazyImport } from '../boot/lazy-import.ts'
import { PlainError } from './failure.ts'

type CreateOptions = AppOutputs['passkeys']['beginAdd']
type NewCredential = AppInputs['passkeys']['add']['credential']
type SignOptions = AppOutputs['auth']['beginPasskeyLogin']
type Credential = AppInputs['auth']['loginWithPasskey']['credential']

/** Returns whether passkeys work at this origin. Passkeys need HTTPS or localhost, and never work at an IP address. */
export function canUsePasskeys(): boolean {
  if (!isSecureContext || typeof PublicKeyCredential !== 'function') return false
  const { hostname } = location
  return !/^[\d.]+$/.test(hostname) && !hostname.startsWith('[')
}

/** Creates a passkey through the browser's dialog. Throws a `PlainError` on failure. */
export async function createPasskey(options: CreateOptions): Promise<NewCredential> {
  const { startRegistration } = await loadWebAuthn()
  const credential = await startRegistration({ optionsJSON: options }).catch(throwPlainly)
  return { ...credential, clientExtensionResults: {} }
}

/** Asks for a passkey through the browser's dialog. Throws a `PlainError` on failure. */
export async function signWithPasskey(options: SignOptions): Promise<Credential> {
  const { startAuthentication } = await loadWebAuthn()
  const credential = await startAuthentication({ optionsJSON: options }).catch(throwPlainly)
  return { ...credential, clientExtensionResults: {} }
}

/** Load the library lazily, because only passkey users need it. */
function loadWebAuthn() {
  return lazyImport(() => import('@simplewebauthn/browser'))
}

/**
 * Throws the browser's error as a `PlainError`. Browsers deliberately do not reveal whether there is no passkey or the
 * player closed the dialog.
 */
function throwPlainly(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const name = cause instanceof Error ? cause.name : ''
  throw new PlainError(SENTENCES[name] ?? 'This browser could not use a passkey. Try another browser.', {
    cause: error,
  })
}

const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. The dialog was closed, took too long or found no passkey for this site.',
  AbortError: 'No passkey was used, because the dialog was closed.',
  InvalidStateError: 'This device already has a passkey for your account.',
  ConstraintError: 'This device cannot store passkeys. Try another device, such as your phone.',
  NotSupportedError: 'This device cannot create a passkey for this site. Try another device, such as your phone.',
  SecurityError: 'Passkeys do not work at this address.',
}
