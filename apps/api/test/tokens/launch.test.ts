import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

let server: TestServer
let creator: Visitor
beforeAll(async () => {
  server = await createTestServer()
  creator = await server.player()
})
afterAll(() => server?.close())

const launch = async (more: object) =>
  (await creator.post('/api/tokens/launch', { name: 'Paper Moon', symbol: 'MOON', ...more })).json()

describe('the emoji of a launch', () => {
  it.each([{}, { emoji: '' }, { emoji: '  ' }])('is a coin where none is sent: %o', async (sent) => {
    const { id, token } = await launch(sent)
    expect(token).toMatchObject({ id, emoji: '🪙' })
  })

  it('is the one that is sent otherwise', async () => {
    expect((await launch({ emoji: ' 🌙 ' })).token.emoji).toBe('🌙')
  })

  it('makes no other launch of a repeat that spells out the coin', async () => {
    const requestId = 'the-same-launch'
    const { id } = await launch({ emoji: '', requestId })
    expect(await launch({ requestId })).toMatchObject({ id })
    expect(await launch({ emoji: '🪙', requestId })).toMatchObject({ id })
  })
})
