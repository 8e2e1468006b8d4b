import type { TestServer, Visitor } from '../test-server.ts'
import { Authenticator } from './authenticator.ts'
import { addPasskey, confirmWithPasskey, LOCAL_ORIGIN } from './passkeys.ts'
import { AuthenticatorApp, confirmWithCode, enableTotp } from './second-factor.ts'

type Input = Readonly<Record<string, unknown>>

/** For procedures that take their input only of a player who has a second factor, or begins one: makes that, and the input. */
export const factorInputs: Readonly<Record<string, (server: TestServer, player: Visitor) => Promise<Input>>> = {
  'auth.loginWithPasskey': async (_server, player) => {
    const authenticator = await addPasskey(player)
    return { credential: authenticator.get((await player.post('/api/auth/passkey/options', {})).json()) }
  },
  'security.beginPasskeyConfirm': async (_server, player) => {
    await addPasskey(player)
    return {}
  },
  'passkeys.list': async (_server, player) => {
    await addPasskey(player)
    return {}
  },
  'passkeys.beginAdd': async (_server, player) => {
    await confirmWithPasskey(player, await addPasskey(player))
    return {}
  },
  'passkeys.add': async (_server, player) => {
    const options = (await player.post('/api/passkeys/options', {})).json()
    return { name: 'my phone', credential: new Authenticator(LOCAL_ORIGIN).create(options) }
  },
  'passkeys.remove': async (_server, player) => {
    await confirmWithPasskey(player, await addPasskey(player))
    const [{ id }] = (await player.get('/api/passkeys')).json().passkeys
    return { id }
  },
  'secondFactor.enable': async (server, player) => {
    const { secret } = (await player.post('/api/account/second-factor/setup', {})).json()
    return { code: new AuthenticatorApp(server, secret).code() }
  },
  'secondFactor.disable': async (server, player) => {
    const { app } = await enableTotp(server, player)
    await confirmWithCode(server, player, app)
    return {}
  },
  'secondFactor.renewRecoveryCodes': async (server, player) => {
    const { app } = await enableTotp(server, player)
    await confirmWithCode(server, player, app)
    return {}
  },
}
