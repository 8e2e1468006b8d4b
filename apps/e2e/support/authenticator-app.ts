import { Secret, TOTP } from 'otpauth'
import type { Player } from './player.ts'
import type { Server } from './server.ts'

const STEP_MS = 30_000

/** A player's authenticator app. */
export class AuthenticatorApp {
  readonly #totp: TOTP

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  }

  /** Returns the current code, or the code that is valid `steps` periods later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + steps * STEP_MS })
  }

  /** Returns a code that is not valid now or in the next minutes. */
  wrongCode(): string {
    const shown = new Set([-2, -1, 0, 1, 2, 3, 4].map((steps) => this.code(steps)))
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !shown.has(code),
    ) as string
  }
}

/** Enables the second factor through the API, as if the player had just confirmed their identity. */
export async function enableApp(
  server: Server,
  { session, username }: Player,
): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${server.url}/api/account/second-factor/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `${session.name}=${session.value}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return await response.json()
  }
  await server.change((db) =>
    db
      .updateTable('sessions')
      .set({ factor_at: new Date() })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', username))
      .execute(),
  )
  const { secret } = await post('setup', {})
  const app = new AuthenticatorApp(secret)
  const { recoveryCodes } = await post('enable', { code: app.code() })
  await letStepPass(server, username)
  return { app, recoveryCodes }
}

/** Moves used codes half a minute into the past. */
export async function letStepPass(server: Server, username: string): Promise<void> {
  await server.change((db) =>
    db
      .updateTable('totp_secrets')
      .set({ last_step: null })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', username))
      .execute(),
  )
}
