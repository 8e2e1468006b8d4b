import { describe, expect, it } from 'vitest'
import { confirmWithCode, enableTotp } from '../../support/factors/second-factor.ts'
import { registration, shareTestServer, type Visitor } from '../../support/test-server.ts'

const server = await shareTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })

describe('a stolen session', () => {
  it('can try ten codes a day without using up the owner’s tries', async () => {
    const thief = await server.player('robbed')
    const { app } = await enableTotp(server, thief)
    const { email, password } = registration('robbed')
    const owner = server.visitor()
    await owner.post('/api/auth/login', { email, password, totp: app.code() })
    server.passTime(31_000)
    const confirm = (who: Visitor, totp: string) => who.post('/api/account/confirm', { totp })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await confirm(thief, app.wrongCode())).statusCode)
    expect(statuses).toEqual([...new Array(10).fill(403), 429])
    expect((await confirm(owner, app.code())).statusCode).toBe(200)
  })

  it('can check ten e-mail addresses an hour', async () => {
    await server.player('asked-about')
    const player = await server.player('asker')
    const { email, password } = registration('asked-about')
    const body = JSON.stringify({ password, email })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      const json = { 'content-type': 'application/json' }
      statuses.push((await player.raw('PUT', '/api/account/email', body, json)).statusCode)
    }
    expect(statuses).toEqual([...new Array(10).fill(409), 429])
  })

  it('can create recovery codes ten times in a quarter of an hour', async () => {
    const player = await server.player('hasher')
    const { app } = await enableTotp(server, player)
    await confirmWithCode(server, player, app)
    const statuses: number[] = []
    // The tests above used up the tries of their address.
    const elsewhere = { 'x-forwarded-for': '203.0.113.7' }
    const renew = () => player.post('/api/account/recovery-codes', {}, elsewhere)
    for (let i = 0; i < 10; i++) statuses.push((await renew()).statusCode)
    expect(statuses).toEqual([...new Array(9).fill(200), 429])
  })
})
