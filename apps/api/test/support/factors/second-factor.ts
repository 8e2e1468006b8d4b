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

  /** Returns the current code, or the code of a later step. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.#server.app.platform.clock.now().getTime() + steps * 30_000 })
  }

  /** Returns a code that is not valid now or soon. */
  wrongCode(): string {
    const shown = new Set([-2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)))
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !shown.has(code)) ?? ''
  }
}

/** Turns on TOTP for a player, and waits until the code has expired. */
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

/** Confirms the player's identity with a code of the app, and waits until the code has expired. */
export async function confirmWithCode(server: TestServer, player: Visitor, app: AuthenticatorApp): Promise<void> {
  const answer = await player.post('/api/account/confirm', { totp: app.code() })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  server.passTime(31_000)
}
