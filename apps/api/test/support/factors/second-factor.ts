import { Secret, TOTP } from 'otpauth'
import type { TestServer, Visitor } from '../test-server.ts'

/** A player's authenticator app. */
export class AuthenticatorApp {
  readonly #totp: TOTP
  readonly #server: TestServer

  constructor(server: TestServer, secret: string) {
    this.#server = server
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }

  /** The code that it shows now, or so many steps later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.#server.app.platform.clock.now().getTime() + steps * 30_000 })
  }

  /** A code that it shows neither now nor soon. */
  wrongCode(): string {
    const shown = new Set([-2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)))
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !shown.has(code)) ?? ''
  }
}

/** Switches TOTP on for a player, and lets its code's step pass. */
export async function enableTotp(
  server: TestServer,
  player: Visitor,
): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const setup = await player.post('/api/account/second-factor/setup', {})
  if (setup.statusCode !== 200) throw new Error(setup.body)
  const app = new AuthenticatorApp(server, setup.json().secret)
  const enabled = await player.post('/api/account/second-factor/enable', { code: app.code() })
  if (enabled.statusCode !== 200) throw new Error(enabled.body)
  server.passTime(31_000)
  return { app, recoveryCodes: enabled.json().recoveryCodes }
}

/** Confirms with a code of the app that the player is present, and lets the code's step pass. */
export async function confirmWithCode(server: TestServer, player: Visitor, app: AuthenticatorApp): Promise<void> {
  const answer = await player.post('/api/account/confirm', { totp: app.code() })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  server.passTime(31_000)
}
