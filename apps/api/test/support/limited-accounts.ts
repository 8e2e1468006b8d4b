import { afterAll, onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import { createTestServer, registration, type TestServer, type Visitor } from './test-server.ts'

type Headers = Record<string, string>

export interface LimitedAccounts {
  readonly server: TestServer
  /** Returns the header of an IP address that has sent no calls yet. */
  fromNew(): Headers
  /** Registers a player. Returns the player and the browser. */
  newPlayer(): Promise<ReturnType<typeof registration> & { readonly browser: Visitor }>
}

/** A server with limits for all tests of a file. Each test uses its own accounts and IP addresses. */
export async function createLimitedAccounts(env: Record<string, string> = {}): Promise<LimitedAccounts> {
  const server = await createTestServer({
    hasJobs: false,
    env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback', SHOW_RESET_CODES: 'on', ...env },
  })
  afterAll(() => server.close())
  let addresses = 0
  let players = 0
  const fromNew = () => {
    addresses++
    return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` }
  }
  return {
    server,
    fromNew,
    newPlayer: async () => {
      const player = registration(`limited-${++players}`)
      const browser = server.visitor()
      const answer = await browser.post('/api/auth/register', player, fromNew())
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return { ...player, browser }
    },
  }
}

/** Changes settings that a server reads at each call, until the test ends. */
export function changeSettings({ app: { platform } }: TestServer, changed: Partial<Config>): void {
  const { config } = platform
  onTestFinished(() => void Object.assign(platform, { config }))
  Object.assign(platform, { config: { ...config, ...changed } })
}
