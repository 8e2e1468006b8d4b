import type { Page } from '@playwright/test'

/**
 * Chromium's virtual authenticator. The page uses real WebAuthn with it, and the test controls it through the DevTools
 * protocol.
 */
export interface Authenticator {
  /** Whether user verification (the fingerprint) succeeds. */
  setVerified(isVerified: boolean): Promise<void>
  /** Returns the number of passkeys on the authenticator. */
  count(): Promise<number>
  /** Copies the passkeys to another browser, like a keychain that syncs. */
  copyTo(page: Page): Promise<void>
}

/** Options of a device with a fingerprint reader. */
const OPTIONS = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** Adds a virtual authenticator to a page's browser. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const { session, authenticatorId } = await openAuthenticator(page)
  const credentials = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    setVerified: async (isUserVerified) =>
      void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    count: async () => (await credentials()).length,
    copyTo: async (other) => {
      const copy = await openAuthenticator(other)
      for (const credential of await credentials()) {
        await copy.session.send('WebAuthn.addCredential', { authenticatorId: copy.authenticatorId, credential })
      }
    },
  }
}

async function openAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options: OPTIONS })
  return { session, authenticatorId }
}
