import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()
const creator = await server.player()

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

it('keeps links as the URL standard writes them', async () => {
  const { token } = await launch({ website: ' HTTPS://Moon.example/ä?b=ö ', x: 'https://x.com/moon' })
  expect([token.website, token.x]).toEqual(['https://moon.example/%C3%A4?b=%C3%B6', 'https://x.com/moon'])
})
