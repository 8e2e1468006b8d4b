import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player()
const { id, username } = (await player.get('/api/auth/user')).json()
const visitor = server.visitor()
const readFace = async () => await visitor.get(`/objects/faces/${id}`)
const setUser = (changes: { emoji?: string; profile_picture_url?: string }) =>
  server.db.updateTable('users').set(changes).where('id', '=', id).execute()

describe('the picture of a player', () => {
  it('is the initial, then the emoji, then the uploaded picture', async () => {
    const initial = await readFace()
    expect(initial.headers['content-type']).toContain('image/svg+xml')
    expect(initial.body).toContain(`&#${username.toUpperCase().codePointAt(0)};</text>`)
    await setUser({ emoji: '🦦' })
    const drawn = await readFace()
    expect(drawn.body).toContain('viewBox="0 0 36 36"')
    expect(drawn.body).not.toContain('<text')
    await setUser({ profile_picture_url: '/objects/pictures/a.webp' })
    const picture = await readFace()
    expect([picture.statusCode, picture.headers.location]).toEqual([302, '/objects/pictures/a.webp'])
  })

  it('can be cached for an hour by anyone, and is missing for an unknown player', async () => {
    expect((await readFace()).headers['cache-control']).toBe('public, max-age=3600')
    for (const wrong of ['0', '01', '999999', '-1', '99999999999', 'x'])
      expect([wrong, (await visitor.get(`/objects/faces/${wrong}`)).statusCode]).toEqual([wrong, 404])
  })

  it('contains no markup of a name', async () => {
    await server.db
      .updateTable('users')
      .set({ username: '<svg>', emoji: null, profile_picture_url: null })
      .where('id', '=', id)
      .execute()
    expect((await readFace()).body).toContain('>&#60;</text>')
  })
})
